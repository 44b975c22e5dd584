/** Colouring of the compiler's languages, line by line: none of them needs more than a line. */

export type Language = "statement" | "schedule" | "mlir" | "anf" | "cce" | "text";

/** The class of a token, by the alternative of the pattern that matched it. */
interface Rules {
  pattern: RegExp;
  classes: readonly string[];
}

const NUMBER = String.raw`\b(?:0x[0-9a-fA-F]+|\d[\d.]*(?:[eE][+-]?\d+)?(?:[a-zA-Z]+)?)\b`;
const STRING = String.raw`"(?:[^"\\]|\\.)*"?`;
const CALL = String.raw`\b[A-Za-z_]\w*(?=\()`;
const NAME = String.raw`\b[A-Za-z_][\w.]*`;

function rules(...alternatives: readonly [string, string][]): Rules {
  return {
    pattern: new RegExp(alternatives.map(([, source]) => `(${source})`).join("|"), "g"),
    classes: alternatives.map(([name]) => name),
  };
}

const TYPES = String.raw`\b(?:u?int(?:8|16|32|64)?(?:_t)?|float(?:16|32|64)?|half|bool|handle|void|char|double|bfloat16)\b`;

const LANGUAGES: Record<Exclude<Language, "text">, Rules> = {
  statement: rules(
    ["attr", String.raw`\/\/ attr\b`],
    ["comment", String.raw`\/\/(?! attr).*`],
    ["string", STRING],
    ["faint", String.raw`:(?:\w+:)?(?:EX|PI|PE|I|C|EI|SP)\b`],
    ["type", TYPES],
    [
      "keyword",
      String.raw`\b(?:for|if|else|unrolled|parallel|vectorized|allocate|realize|produce|consume|let|assert|likely|select|tvm_if_then_else|reduce|free|placeholder)\b`,
    ],
    ["call", CALL],
    ["name", NAME],
    ["number", NUMBER],
  ),
  schedule: rules(
    ["keyword", String.raw`\b(?:domain|child|schedule|mark|filter|sequence|set|context|extension|expansion|contraction|guard|leaf|permutable|coincident|options)(?=:)`],
    ["type", String.raw`\b(?:and|or|mod|floor|exists|not|isolate|atomic|separate|unroll)\b`],
    ["call", String.raw`\bS_\d+\b`],
    ["name", NAME],
    ["number", NUMBER],
    ["faint", String.raw`"`],
  ),
  mlir: rules(
    ["comment", String.raw`\/\/.*`],
    ["faint", String.raw`\bloc\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`],
    ["space", String.raw`#hivm\.address_space<\w+>`],
    ["string", STRING],
    ["type", String.raw`\b(?:memref|tensor|vector)(?=<)|(?<![\w%@#!.])(?:bf16|tf32|f\d+\w*|[su]?i\d+|index|none)\b|(?<=x)(?:bf16|f\d+\w*|[su]?i\d+|index)\b|![A-Za-z_][\w.]*`],
    ["call", String.raw`@(?:[\w$.-]+|"[^"]*")`],
    ["attr", String.raw`[#^][A-Za-z_][\w.]*`],
    ["name", String.raw`%[\w$.-]+(?:#\d+)?`],
    ["keyword", String.raw`\b[a-z_]\w*(?:\.[a-z_]\w*)+\b|\b(?:module|return|to|step|iter_args|ins|outs|attributes|else|private|true|false|dense|affine_map)\b`],
    ["name", NAME],
    ["number", NUMBER],
  ),
  anf: rules(
    ["comment", String.raw`#.*`],
    ["string", STRING],
    ["type", String.raw`\b(?:Tensor|Ref|Tuple|List|UMonad|IOMonad|NoShape|TupleShape)\b|\b(?:Bool|Float|Int|UInt|BFloat)\d*\b`],
    ["call", String.raw`@[^\s(),\]]+`],
    ["name", String.raw`%(?:para\d+_[^\s,):]+|\d+)`],
    ["keyword", String.raw`\b(?:subgraph|call|Return|parent)\b|\bPrimFunc_\w+|\b[A-Z]\w*(?=\()`],
    ["attr", String.raw`\b(?:primitive_attrs|cnode_attrs|instance name)\b`],
    ["name", NAME],
    ["number", NUMBER],
  ),
  cce: rules(
    ["comment", String.raw`\/\/.*|\/\*.*?(?:\*\/|$)`],
    ["string", STRING],
    ["attr", String.raw`^\s*#.*`],
    ["faint", String.raw`__restrict__|\[aicore\]|\b__aicore__\b|\b__global__\b|\bextern\b`],
    ["type", TYPES],
    [
      "keyword",
      String.raw`\b(?:for|if|else|while|do|return|const|static|break|continue|struct|switch|case|default|sizeof)\b`,
    ],
    ["attr", String.raw`\b(?:PIPE|EVENT_ID|EVENT)_?[A-Z0-9_]*\b`],
    ["call", CALL],
    ["name", NAME],
    ["number", NUMBER],
  ),
};

// The last memory in a name is where the buffer is: x_local_L1_local_L0A is in L0A.
const LOCAL = /(?:local[._]|realize_|promote_.*_)(UB|L1|L0A|L0B|L0C|REG)(?![A-Z])/g;

const QUALIFIERS: Record<string, string> = {
  __gm__: "GM",
  __ubuf__: "UB",
  __cbuf__: "L1",
  __ca__: "L0A",
  __cb__: "L0B",
  __cc__: "L0C",
};

const SPACES: Record<string, string> = {
  gm: "GM",
  ub: "UB",
  cbuf: "L1",
  ca: "L0A",
  cb: "L0B",
  cc: "L0C",
};

/** The on-chip memory that a name speaks of, if any. */
export function memoryOf(name: string): string | null {
  const qualifier = QUALIFIERS[name];
  if (qualifier) return qualifier;
  let memory: string | null = null;
  if (name.includes("local") || name.includes("realize"))
    for (const match of name.matchAll(LOCAL)) memory = match[1]!;
  return memory;
}

/** Calls `token` with each coloured range of a line. */
export function tokens(
  language: Language,
  line: string,
  token: (from: number, to: number, name: string) => void,
): void {
  if (language === "text") return;
  const { pattern, classes } = LANGUAGES[language];
  for (const match of line.matchAll(pattern)) {
    const group = match.findIndex((part, i) => i > 0 && part !== undefined) - 1;
    let name = classes[group]!;
    const word = match[0];
    if (name === "space") {
      const memory = SPACES[word.slice(word.indexOf("<") + 1, -1)];
      name = memory ? `memory ${memory}` : "attr";
    } else if (name === "name" || name === "string" || name === "call" || name === "faint") {
      const memory = memoryOf(word);
      if (memory) name = `memory ${memory}`;
    }
    if (name === "name") continue;
    token(match.index, match.index + word.length, name);
  }
}
