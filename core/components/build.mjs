// Builds the bundles into dist/ (or the folder named as argument), the licences of what is in them,
// and a note of what they were built from (sources.json). The same sources and packages always give the same bytes.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const out = resolve(process.argv[2] ?? join(import.meta.dirname, "dist"));
process.chdir(import.meta.dirname);

const { metafile } = await build({
  entryPoints: { irview: "src/ir/index.ts", graphview: "src/graph/index.ts", handout: "src/handout/index.ts" },
  outdir: out,
  bundle: true,
  format: "esm",
  minify: true,
  target: "es2022",
  loader: { ".css": "text", ".svg": "text" },
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
});

const packages = new Set();
for (const path of Object.keys(metafile.inputs)) {
  const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
  if (found) packages.add(found[1]);
}
const licences = [...packages].sort().map((name) => {
  const folder = join("node_modules", name);
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = ["LICENSE", "LICENSE.md", "LICENSE.txt"].find((each) => existsSync(join(folder, each)));
  if (!file) throw new Error(`${name} brings no licence text; it cannot be shipped in a bundle.`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
});
writeFileSync(join(out, "LICENSES.txt"), licences.join(`\n${"-".repeat(72)}\n\n`));

// tests/test_components.py computes the same where there is no Node to build again.
const sources = [
  "build.mjs",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  ...readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((name) => join("src", name).replaceAll("\\", "/"))
    .filter((path) => statSync(path).isFile()),
].sort();
const hash = createHash("sha256");
for (const path of sources) hash.update(`${path}\0`).update(readFileSync(path)).update("\0");
writeFileSync(join(out, "sources.json"), `${JSON.stringify({ sha256: hash.digest("hex") })}\n`);
