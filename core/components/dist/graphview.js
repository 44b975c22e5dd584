var Ee=Date.now(),hi=8,Me=class{constructor(e){this.send=e}send;events=[];through(e){this.send=e}post(e,n){Ee=Math.max(Ee+1,Date.now()),this.events=[...this.events,{id:Ee,kind:e,...n}].slice(-hi),this.send(this.events)}};function hn(t){let e=new Map;return(n,r)=>{let i=n.parentElement.querySelector(".tilescope-root");if(!i)throw new Error("The component's element is missing.");let o=s=>n.setStateValue("events",s),a=e.get(i);if(a)a.outbox.through(o);else{let s=new Me(o);a={viewer:t(i,r,s),outbox:s},e.set(i,a)}return a.viewer.update(n),()=>{e.get(i)?.viewer.close(),e.delete(i)}}}var fn=`/* What both viewers have in common. Colours follow Streamlit's theme through its --st-* variables;
   the colours of memories and of changes are those of core/views/palette.py. */

.tilescope-root {
  --page: var(--st-background-color);
  --raised: color-mix(in srgb, var(--st-text-color) 3.5%, var(--page));
  --hover: color-mix(in srgb, var(--st-text-color) 8%, var(--page));
  --line: color-mix(in srgb, var(--st-text-color) 14%, var(--page));
  --ink: var(--st-text-color);
  --soft: color-mix(in srgb, var(--st-text-color) 76%, var(--page));
  --faint: color-mix(in srgb, var(--st-text-color) 67%, var(--page));
  --accent: var(--st-primary-color);
  --added: #2e9e5b;
  --removed: #d64545;
  --changed: #c98a00;
  --wrong: #c8322b;
  --slow: #946300;
  --hit: #c28400;
  --mono: var(--st-code-font, "Source Code Pro", monospace);

  --GM: #6f757e;
  --UB: #0072b2;
  --L1: #a86f00;
  --L0A: #007f5c;
  --L0B: #8a7d00;
  --L0C: #c04f00;
  --REG: #a8527f;

  position: relative;
  box-sizing: border-box;
  display: flex;
  flex-direction: column;
  overflow: hidden;
  color: var(--ink);
  background: var(--page);
  border: 1px solid var(--line);
  border-radius: 6px;
  font-family: var(--st-font, sans-serif);
  font-size: 13px;
  line-height: 1.4;
  container-type: inline-size;
  color-scheme: light;
  scrollbar-color: color-mix(in srgb, var(--ink) 26%, transparent) transparent;
}

.tilescope-root[data-scheme="dark"] {
  color-scheme: dark;
  --added: #3fb872;
  --removed: #e5676a;
  --changed: #d9a12b;
  --wrong: #ff7b76;
  --slow: #e3b341;
  --hit: #e3b341;
  --GM: #9aa1ab;
  --UB: #55b3ea;
  --L1: #eba938;
  --L0A: #2fc296;
  --L0B: #e3d54a;
  --L0C: #f0803c;
  --REG: #dd92b8;
}

.tilescope-root *,
.tilescope-root *::before {
  box-sizing: border-box;
}

.tilescope-root [hidden] {
  display: none !important;
}

.icon {
  font-family: "Material Symbols Rounded";
  font-size: 18px;
  line-height: 1;
  width: 18px;
  height: 18px;
  overflow: hidden;
  display: inline-block;
  vertical-align: middle;
  font-feature-settings: "liga";
  -webkit-font-smoothing: antialiased;
  user-select: none;
  white-space: nowrap;
}

button {
  font: inherit;
  color: var(--soft);
  background: transparent;
  border: 0;
  border-radius: 4px;
  height: 24px;
  min-width: 24px;
  padding: 0 3px;
  cursor: pointer;
  display: inline-flex;
  align-items: center;
  justify-content: center;
}

button:hover {
  color: var(--ink);
  background: var(--hover);
}

button:focus-visible,
input:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: -1px;
}

button[aria-pressed="true"] {
  color: var(--ink);
  background: var(--hover);
}

button:disabled {
  opacity: 0.4;
  cursor: default;
  background: transparent;
}

.toolbar {
  flex: none;
  display: flex;
  align-items: center;
  gap: 2px 10px;
  min-height: 32px;
  padding: 3px 6px 3px 10px;
  border-bottom: 1px solid var(--line);
}

.toolbar > * {
  flex: none;
}

.toolbar .gap {
  flex: 1;
}

@container (max-width: 560px) {
  .toolbar {
    flex-wrap: wrap;
  }
}

.group {
  display: inline-flex;
  align-items: center;
  gap: 1px;
}

.segmented {
  border: 1px solid var(--line);
  border-radius: 5px;
  overflow: hidden;
  gap: 0;
}

.segmented button {
  height: 22px;
  padding: 0 8px;
  border-radius: 0;
  font-size: 12px;
}

.segmented button + button {
  border-left: 1px solid var(--line);
}

.note {
  color: var(--faint);
}

.problem {
  margin: auto;
  max-width: 46ch;
  padding: 24px;
  text-align: center;
  color: var(--soft);
}

.problem .icon {
  font-size: 28px;
  width: 28px;
  height: 28px;
  color: var(--removed);
}

.problem p {
  margin: 8px 0 14px;
}

.problem .retry {
  height: 28px;
  padding: 0 12px;
  color: var(--ink);
  border: 1px solid var(--line);
}

.legend {
  position: absolute;
  z-index: 20;
  right: 10px;
  top: 38px;
  padding: 8px 12px;
  border: 1px solid var(--line);
  border-radius: 6px;
  background: var(--page);
  box-shadow: 0 6px 24px rgb(0 0 0 / 18%);
}

.legend > div {
  display: flex;
  align-items: baseline;
  gap: 12px;
  padding: 2px 0;
}

kbd {
  font: 12px var(--mono);
  min-width: 4ch;
  white-space: pre;
  color: var(--soft);
}

.skeleton {
  padding: 14px 16px 14px 56px;
  display: grid;
  gap: 10px;
  align-content: start;
}

.skeleton > div {
  height: 11px;
  border-radius: 3px;
  background: var(--hover);
  animation: breathe 1.4s ease-in-out infinite alternate;
}

@keyframes breathe {
  from {
    opacity: 0.9;
  }

  to {
    opacity: 0.35;
  }
}

@media (prefers-reduced-motion: reduce) {
  .skeleton > div {
    animation: none;
  }
}
`;var pn=`/* The graph viewer. Classes are written over the colours that Graphviz put into the drawing. */

.graph .canvas {
  flex: 1;
  min-height: 0;
  position: relative;
  cursor: grab;
  touch-action: none;
  display: flex;
}

.graph .canvas:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: -2px;
}

.graph .canvas.dragging {
  cursor: grabbing;
}

.graph .canvas svg {
  flex: 1;
  width: 100%;
  height: 100%;
  display: block;
}

.graph .wait {
  margin: auto;
  color: var(--faint);
}

.graph .tools {
  position: absolute;
  z-index: 5;
  top: 8px;
  right: 8px;
  display: flex;
  gap: 1px;
  padding: 2px;
  background: color-mix(in srgb, var(--page) 88%, transparent);
  border: 1px solid var(--line);
  border-radius: 6px;
}

.graph .tools button {
  font-size: 11.5px;
}

.graph .find {
  display: inline-flex;
  align-items: center;
}

.graph .find input {
  width: 15ch;
  height: 24px;
  padding: 0 6px;
  font: 12px var(--mono);
  color: var(--ink);
  background: var(--page);
  border: 1px solid var(--line);
  border-radius: 4px;
}

.graph .find .counter {
  min-width: 4ch;
  padding: 0 6px;
  font-size: 11.5px;
  font-variant-numeric: tabular-nums;
  white-space: nowrap;
  color: var(--soft);
}

/* What stands below: what is not drawn, the chosen node, the legend */

.graph .below {
  flex: none;
}

.graph .said {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 2px 8px;
  padding: 4px 10px;
  font-size: 12px;
  color: var(--soft);
  border-top: 1px solid var(--line);
}

.graph .said span {
  flex: 1 1 16ch;
  min-width: 0;
}

.graph :is(.said, .about) button {
  height: 22px;
  padding: 0 8px;
  font-size: 12px;
  color: var(--ink);
  border: 1px solid var(--line);
}

.graph .about {
  padding: 4px 10px 5px;
  font-size: 12px;
  border-top: 1px solid var(--line);
}

.graph .about > div {
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  gap: 2px 8px;
}

.graph .about strong {
  max-width: 100%;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
  font-family: var(--mono);
  font-weight: 600;
}

.graph .about .facts {
  color: var(--soft);
  font-variant-numeric: tabular-nums;
}

.graph .about .gap {
  flex: 1;
}

.graph .about code {
  display: block;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
  font: 11.5px var(--mono);
  color: var(--soft);
}

.graph .key {
  flex: none;
  display: flex;
  flex-wrap: wrap;
  gap: 4px 14px;
  padding: 5px 10px;
  font-size: 12px;
  color: var(--soft);
  border-top: 1px solid var(--line);
}

.graph .key span {
  display: inline-flex;
  align-items: center;
  gap: 6px;
  white-space: nowrap;
}

.graph .key .box {
  width: 11px;
  height: 11px;
  border-radius: 2px;
  border: 1.5px solid var(--of);
  background: color-mix(in srgb, var(--of) 22%, transparent);
}

.graph .key .line {
  width: 16px;
  border-top: 2px solid var(--of);
}

/* Ink of the page for everything that has no class of its own */

.graph svg text {
  fill: var(--ink);
  font-family: var(--mono);
  stroke: none;
}

.graph g.node {
  --of: var(--faint);
  cursor: pointer;
}

.graph g.edge {
  --of: var(--faint);
}

.graph g.cluster {
  --of: var(--line);
  cursor: pointer;
}

.graph g:is(.node, .cluster, .edge).GM {
  --of: var(--GM);
}

.graph g:is(.node, .cluster, .edge).UB {
  --of: var(--UB);
}

.graph g:is(.node, .cluster, .edge).L1 {
  --of: var(--L1);
}

.graph g:is(.node, .cluster, .edge).L0A {
  --of: var(--L0A);
}

.graph g:is(.node, .cluster, .edge).L0B {
  --of: var(--L0B);
}

.graph g:is(.node, .cluster, .edge).L0C {
  --of: var(--L0C);
}

.graph g:is(.node, .cluster, .edge).REG {
  --of: var(--REG);
}

.graph g.node :is(polygon, path, ellipse, polyline) {
  stroke: var(--of);
  stroke-width: 1.2;
  fill: color-mix(in srgb, var(--of) 12%, var(--page));
  fill-opacity: 1;
}

.graph g.node polyline {
  fill: none;
}

.graph g.node.constant :is(polygon, path, ellipse) {
  stroke-dasharray: 3 2;
}

.graph g.node:is(.op, .loop) :is(polygon, path, ellipse) {
  fill: var(--raised);
  stroke: var(--faint);
}

.graph g.node:hover :is(polygon, path, ellipse) {
  fill: color-mix(in srgb, var(--of) 24%, var(--page));
}

.graph g.cluster > :is(polygon, path),
.graph g.cluster > g > g > :is(polygon, path),
.graph g.cluster > g > :is(polygon, path) {
  stroke: var(--of);
  fill: color-mix(in srgb, var(--ink) 2%, transparent);
}

.graph g.cluster text {
  fill: var(--soft);
}

.graph g.edge path {
  stroke: var(--of);
  fill: none;
}

.graph g.edge polygon {
  stroke: var(--of);
  fill: var(--of);
}

.graph g.edge text {
  fill: var(--soft);
}

/* Differences and importance */

.graph g.node:is(.added, .removed, .changed, .failed) :is(polygon, path, ellipse) {
  stroke: var(--is);
  stroke-width: 2.4;
}

.graph g.node:is(.added, .removed, .changed):is(.op, .loop) :is(polygon, path, ellipse) {
  fill: color-mix(in srgb, var(--is) 10%, var(--page));
}

.graph g.cluster:is(.added, .removed, .changed) {
  --of: var(--is);
}

.graph g.edge:is(.added, .removed, .changed) :is(path, polygon) {
  stroke: var(--is);
}

.graph g.edge:is(.added, .removed, .changed) polygon {
  fill: var(--is);
}

.graph g.added {
  --is: var(--added);
}

.graph g:is(.removed, .failed) {
  --is: var(--removed);
}

.graph g.changed {
  --is: var(--changed);
}

.graph g:is(.node, .edge).removed {
  opacity: 0.62;
}

.graph g.node.removed :is(polygon, path, ellipse),
.graph g.cluster.removed > :is(polygon, path),
.graph g.cluster.removed > g > g > :is(polygon, path),
.graph g.cluster.removed > g > :is(polygon, path) {
  stroke-dasharray: 5 3;
}

.graph g.node.removed text {
  text-decoration: line-through;
}

.graph g:is(.node, .edge).faint {
  opacity: 0.4;
}

.graph g.edge.strong path {
  stroke-width: 2.2;
}

.graph g.node.strong text {
  font-weight: 700;
}

/* Folding */

.graph g.fold {
  cursor: pointer;
}

.graph g.fold rect {
  fill: var(--page);
  stroke: var(--faint);
  stroke-width: 0.8;
}

.graph g.fold path {
  stroke: var(--ink);
  stroke-width: 1.2;
  fill: none;
}

.graph g.fold:hover rect {
  fill: var(--hover);
  stroke: var(--ink);
}

.graph g.node.stub text {
  fill: var(--accent);
}

.graph g.node.stub :is(polygon, path) {
  fill: transparent;
  stroke: none;
}

.graph g.node.stub:hover text {
  text-decoration: underline;
}

.graph g.edge.stub path {
  stroke-dasharray: 3 3;
}

/* What was looked for */

.graph g.node.match :is(polygon, path, ellipse),
.graph g.cluster.match > :is(polygon, path),
.graph g.cluster.match > g > g > :is(polygon, path),
.graph g.cluster.match > g > :is(polygon, path) {
  stroke: var(--accent);
  stroke-width: 1.8;
  stroke-dasharray: 4 2;
}

.graph g:is(.node, .cluster).match.at > :is(polygon, path, ellipse),
.graph g:is(.node, .cluster).match.at > g :is(polygon, path, ellipse) {
  stroke-width: 3;
  stroke-dasharray: none;
}

/* The chosen node */

.graph g.node.chosen :is(polygon, path, ellipse) {
  stroke: var(--accent);
  stroke-width: 2.6;
  fill: color-mix(in srgb, var(--accent) 18%, var(--page));
}

.graph g.cluster.chosen > :is(polygon, path),
.graph g.cluster.chosen > g > g > :is(polygon, path),
.graph g.cluster.chosen > g > :is(polygon, path) {
  stroke: var(--accent);
  stroke-width: 2;
}

.graph g.edge.chosen path {
  stroke: var(--accent);
  stroke-width: 1.8;
}

.graph g.edge.chosen polygon {
  stroke: var(--accent);
  fill: var(--accent);
}
`;var Ft="http://www.w3.org/1999/xhtml",Se={svg:"http://www.w3.org/2000/svg",xhtml:Ft,xlink:"http://www.w3.org/1999/xlink",xml:"http://www.w3.org/XML/1998/namespace",xmlns:"http://www.w3.org/2000/xmlns/"};function nt(t){var e=t+="",n=e.indexOf(":");return n>=0&&(e=t.slice(0,n))!=="xmlns"&&(t=t.slice(n+1)),Se.hasOwnProperty(e)?{space:Se[e],local:t}:t}function di(t){return function(){var e=this.ownerDocument,n=this.namespaceURI;return n===Ft&&e.documentElement.namespaceURI===Ft?e.createElement(t):e.createElementNS(n,t)}}function gi(t){return function(){return this.ownerDocument.createElementNS(t.space,t.local)}}function Xt(t){var e=nt(t);return(e.local?gi:di)(e)}function mi(){}function lt(t){return t==null?mi:function(){return this.querySelector(t)}}function dn(t){typeof t!="function"&&(t=lt(t));for(var e=this._groups,n=e.length,r=new Array(n),i=0;i<n;++i)for(var o=e[i],a=o.length,s=r[i]=new Array(a),l,u,h=0;h<a;++h)(l=o[h])&&(u=t.call(l,l.__data__,h,o))&&("__data__"in l&&(u.__data__=l.__data__),s[h]=u);return new S(r,this._parents)}function Ae(t){return t==null?[]:Array.isArray(t)?t:Array.from(t)}function vi(){return[]}function Mt(t){return t==null?vi:function(){return this.querySelectorAll(t)}}function xi(t){return function(){return Ae(t.apply(this,arguments))}}function gn(t){typeof t=="function"?t=xi(t):t=Mt(t);for(var e=this._groups,n=e.length,r=[],i=[],o=0;o<n;++o)for(var a=e[o],s=a.length,l,u=0;u<s;++u)(l=a[u])&&(r.push(t.call(l,l.__data__,u,a)),i.push(l));return new S(r,i)}function St(t){return function(){return this.matches(t)}}function Yt(t){return function(e){return e.matches(t)}}var yi=Array.prototype.find;function wi(t){return function(){return yi.call(this.children,t)}}function bi(){return this.firstElementChild}function mn(t){return this.select(t==null?bi:wi(typeof t=="function"?t:Yt(t)))}var _i=Array.prototype.filter;function ki(){return Array.from(this.children)}function Ei(t){return function(){return _i.call(this.children,t)}}function vn(t){return this.selectAll(t==null?ki:Ei(typeof t=="function"?t:Yt(t)))}function xn(t){typeof t!="function"&&(t=St(t));for(var e=this._groups,n=e.length,r=new Array(n),i=0;i<n;++i)for(var o=e[i],a=o.length,s=r[i]=[],l,u=0;u<a;++u)(l=o[u])&&t.call(l,l.__data__,u,o)&&s.push(l);return new S(r,this._parents)}function Ut(t){return new Array(t.length)}function yn(){return new S(this._enter||this._groups.map(Ut),this._parents)}function At(t,e){this.ownerDocument=t.ownerDocument,this.namespaceURI=t.namespaceURI,this._next=null,this._parent=t,this.__data__=e}At.prototype={constructor:At,appendChild:function(t){return this._parent.insertBefore(t,this._next)},insertBefore:function(t,e){return this._parent.insertBefore(t,e)},querySelector:function(t){return this._parent.querySelector(t)},querySelectorAll:function(t){return this._parent.querySelectorAll(t)}};function wn(t){return function(){return t}}function Mi(t,e,n,r,i,o){for(var a=0,s,l=e.length,u=o.length;a<u;++a)(s=e[a])?(s.__data__=o[a],r[a]=s):n[a]=new At(t,o[a]);for(;a<l;++a)(s=e[a])&&(i[a]=s)}function Si(t,e,n,r,i,o,a){var s,l,u=new Map,h=e.length,p=o.length,d=new Array(h),g;for(s=0;s<h;++s)(l=e[s])&&(d[s]=g=a.call(l,l.__data__,s,e)+"",u.has(g)?i[s]=l:u.set(g,l));for(s=0;s<p;++s)g=a.call(t,o[s],s,o)+"",(l=u.get(g))?(r[s]=l,l.__data__=o[s],u.delete(g)):n[s]=new At(t,o[s]);for(s=0;s<h;++s)(l=e[s])&&u.get(d[s])===l&&(i[s]=l)}function Ai(t){return t.__data__}function bn(t,e){if(!arguments.length)return Array.from(this,Ai);var n=e?Si:Mi,r=this._parents,i=this._groups;typeof t!="function"&&(t=wn(t));for(var o=i.length,a=new Array(o),s=new Array(o),l=new Array(o),u=0;u<o;++u){var h=r[u],p=i[u],d=p.length,g=Ti(t.call(h,h&&h.__data__,u,r)),_=g.length,M=s[u]=new Array(_),N=a[u]=new Array(_),x=l[u]=new Array(d);n(h,p,M,N,x,g,e);for(var z=0,I=0,q,O;z<_;++z)if(q=M[z]){for(z>=I&&(I=z+1);!(O=N[I])&&++I<_;);q._next=O||null}}return a=new S(a,r),a._enter=s,a._exit=l,a}function Ti(t){return typeof t=="object"&&"length"in t?t:Array.from(t)}function _n(){return new S(this._exit||this._groups.map(Ut),this._parents)}function kn(t,e,n){var r=this.enter(),i=this,o=this.exit();return typeof t=="function"?(r=t(r),r&&(r=r.selection())):r=r.append(t+""),e!=null&&(i=e(i),i&&(i=i.selection())),n==null?o.remove():n(o),r&&i?r.merge(i).order():i}function En(t){for(var e=t.selection?t.selection():t,n=this._groups,r=e._groups,i=n.length,o=r.length,a=Math.min(i,o),s=new Array(i),l=0;l<a;++l)for(var u=n[l],h=r[l],p=u.length,d=s[l]=new Array(p),g,_=0;_<p;++_)(g=u[_]||h[_])&&(d[_]=g);for(;l<i;++l)s[l]=n[l];return new S(s,this._parents)}function Mn(){for(var t=this._groups,e=-1,n=t.length;++e<n;)for(var r=t[e],i=r.length-1,o=r[i],a;--i>=0;)(a=r[i])&&(o&&a.compareDocumentPosition(o)^4&&o.parentNode.insertBefore(a,o),o=a);return this}function Sn(t){t||(t=Ci);function e(p,d){return p&&d?t(p.__data__,d.__data__):!p-!d}for(var n=this._groups,r=n.length,i=new Array(r),o=0;o<r;++o){for(var a=n[o],s=a.length,l=i[o]=new Array(s),u,h=0;h<s;++h)(u=a[h])&&(l[h]=u);l.sort(e)}return new S(i,this._parents).order()}function Ci(t,e){return t<e?-1:t>e?1:t>=e?0:NaN}function An(){var t=arguments[0];return arguments[0]=this,t.apply(null,arguments),this}function Tn(){return Array.from(this)}function Cn(){for(var t=this._groups,e=0,n=t.length;e<n;++e)for(var r=t[e],i=0,o=r.length;i<o;++i){var a=r[i];if(a)return a}return null}function Nn(){let t=0;for(let e of this)++t;return t}function Ln(){return!this.node()}function zn(t){for(var e=this._groups,n=0,r=e.length;n<r;++n)for(var i=e[n],o=0,a=i.length,s;o<a;++o)(s=i[o])&&t.call(s,s.__data__,o,i);return this}function Ni(t){return function(){this.removeAttribute(t)}}function Li(t){return function(){this.removeAttributeNS(t.space,t.local)}}function zi(t,e){return function(){this.setAttribute(t,e)}}function Ii(t,e){return function(){this.setAttributeNS(t.space,t.local,e)}}function Ri(t,e){return function(){var n=e.apply(this,arguments);n==null?this.removeAttribute(t):this.setAttribute(t,n)}}function Di(t,e){return function(){var n=e.apply(this,arguments);n==null?this.removeAttributeNS(t.space,t.local):this.setAttributeNS(t.space,t.local,n)}}function In(t,e){var n=nt(t);if(arguments.length<2){var r=this.node();return n.local?r.getAttributeNS(n.space,n.local):r.getAttribute(n)}return this.each((e==null?n.local?Li:Ni:typeof e=="function"?n.local?Di:Ri:n.local?Ii:zi)(n,e))}function Kt(t){return t.ownerDocument&&t.ownerDocument.defaultView||t.document&&t||t.defaultView}function Oi(t){return function(){this.style.removeProperty(t)}}function $i(t,e,n){return function(){this.style.setProperty(t,e,n)}}function Bi(t,e,n){return function(){var r=e.apply(this,arguments);r==null?this.style.removeProperty(t):this.style.setProperty(t,r,n)}}function Rn(t,e,n){return arguments.length>1?this.each((e==null?Oi:typeof e=="function"?Bi:$i)(t,e,n??"")):rt(this.node(),t)}function rt(t,e){return t.style.getPropertyValue(e)||Kt(t).getComputedStyle(t,null).getPropertyValue(e)}function Gi(t){return function(){delete this[t]}}function Hi(t,e){return function(){this[t]=e}}function Vi(t,e){return function(){var n=e.apply(this,arguments);n==null?delete this[t]:this[t]=n}}function Dn(t,e){return arguments.length>1?this.each((e==null?Gi:typeof e=="function"?Vi:Hi)(t,e)):this.node()[t]}function On(t){return t.trim().split(/^|\s+/)}function Te(t){return t.classList||new $n(t)}function $n(t){this._node=t,this._names=On(t.getAttribute("class")||"")}$n.prototype={add:function(t){var e=this._names.indexOf(t);e<0&&(this._names.push(t),this._node.setAttribute("class",this._names.join(" ")))},remove:function(t){var e=this._names.indexOf(t);e>=0&&(this._names.splice(e,1),this._node.setAttribute("class",this._names.join(" ")))},contains:function(t){return this._names.indexOf(t)>=0}};function Bn(t,e){for(var n=Te(t),r=-1,i=e.length;++r<i;)n.add(e[r])}function Gn(t,e){for(var n=Te(t),r=-1,i=e.length;++r<i;)n.remove(e[r])}function Pi(t){return function(){Bn(this,t)}}function qi(t){return function(){Gn(this,t)}}function Fi(t,e){return function(){(e.apply(this,arguments)?Bn:Gn)(this,t)}}function Hn(t,e){var n=On(t+"");if(arguments.length<2){for(var r=Te(this.node()),i=-1,o=n.length;++i<o;)if(!r.contains(n[i]))return!1;return!0}return this.each((typeof e=="function"?Fi:e?Pi:qi)(n,e))}function Xi(){this.textContent=""}function Yi(t){return function(){this.textContent=t}}function Ui(t){return function(){var e=t.apply(this,arguments);this.textContent=e??""}}function Vn(t){return arguments.length?this.each(t==null?Xi:(typeof t=="function"?Ui:Yi)(t)):this.node().textContent}function Ki(){this.innerHTML=""}function Wi(t){return function(){this.innerHTML=t}}function Zi(t){return function(){var e=t.apply(this,arguments);this.innerHTML=e??""}}function Pn(t){return arguments.length?this.each(t==null?Ki:(typeof t=="function"?Zi:Wi)(t)):this.node().innerHTML}function Qi(){this.nextSibling&&this.parentNode.appendChild(this)}function qn(){return this.each(Qi)}function Ji(){this.previousSibling&&this.parentNode.insertBefore(this,this.parentNode.firstChild)}function Fn(){return this.each(Ji)}function Xn(t){var e=typeof t=="function"?t:Xt(t);return this.select(function(){return this.appendChild(e.apply(this,arguments))})}function ji(){return null}function Yn(t,e){var n=typeof t=="function"?t:Xt(t),r=e==null?ji:typeof e=="function"?e:lt(e);return this.select(function(){return this.insertBefore(n.apply(this,arguments),r.apply(this,arguments)||null)})}function to(){var t=this.parentNode;t&&t.removeChild(this)}function Un(){return this.each(to)}function eo(){var t=this.cloneNode(!1),e=this.parentNode;return e?e.insertBefore(t,this.nextSibling):t}function no(){var t=this.cloneNode(!0),e=this.parentNode;return e?e.insertBefore(t,this.nextSibling):t}function Kn(t){return this.select(t?no:eo)}function Wn(t){return arguments.length?this.property("__data__",t):this.node().__data__}function ro(t){return function(e){t.call(this,e,this.__data__)}}function io(t){return t.trim().split(/^|\s+/).map(function(e){var n="",r=e.indexOf(".");return r>=0&&(n=e.slice(r+1),e=e.slice(0,r)),{type:e,name:n}})}function oo(t){return function(){var e=this.__on;if(e){for(var n=0,r=-1,i=e.length,o;n<i;++n)o=e[n],(!t.type||o.type===t.type)&&o.name===t.name?this.removeEventListener(o.type,o.listener,o.options):e[++r]=o;++r?e.length=r:delete this.__on}}}function ao(t,e,n){return function(){var r=this.__on,i,o=ro(e);if(r){for(var a=0,s=r.length;a<s;++a)if((i=r[a]).type===t.type&&i.name===t.name){this.removeEventListener(i.type,i.listener,i.options),this.addEventListener(i.type,i.listener=o,i.options=n),i.value=e;return}}this.addEventListener(t.type,o,n),i={type:t.type,name:t.name,value:e,listener:o,options:n},r?r.push(i):this.__on=[i]}}function Zn(t,e,n){var r=io(t+""),i,o=r.length,a;if(arguments.length<2){var s=this.node().__on;if(s){for(var l=0,u=s.length,h;l<u;++l)for(i=0,h=s[l];i<o;++i)if((a=r[i]).type===h.type&&a.name===h.name)return h.value}return}for(s=e?ao:oo,i=0;i<o;++i)this.each(s(r[i],e,n));return this}function Qn(t,e,n){var r=Kt(t),i=r.CustomEvent;typeof i=="function"?i=new i(e,n):(i=r.document.createEvent("Event"),n?(i.initEvent(e,n.bubbles,n.cancelable),i.detail=n.detail):i.initEvent(e,!1,!1)),t.dispatchEvent(i)}function so(t,e){return function(){return Qn(this,t,e)}}function lo(t,e){return function(){return Qn(this,t,e.apply(this,arguments))}}function Jn(t,e){return this.each((typeof e=="function"?lo:so)(t,e))}function*jn(){for(var t=this._groups,e=0,n=t.length;e<n;++e)for(var r=t[e],i=0,o=r.length,a;i<o;++i)(a=r[i])&&(yield a)}var Ce=[null];function S(t,e){this._groups=t,this._parents=e}function tr(){return new S([[document.documentElement]],Ce)}function uo(){return this}S.prototype=tr.prototype={constructor:S,select:dn,selectAll:gn,selectChild:mn,selectChildren:vn,filter:xn,data:bn,enter:yn,exit:_n,join:kn,merge:En,selection:uo,order:Mn,sort:Sn,call:An,nodes:Tn,node:Cn,size:Nn,empty:Ln,each:zn,attr:In,style:Rn,property:Dn,classed:Hn,text:Vn,html:Pn,raise:qn,lower:Fn,append:Xn,insert:Yn,remove:Un,clone:Kn,datum:Wn,on:Zn,dispatch:Jn,[Symbol.iterator]:jn};var ut=tr;function L(t){return typeof t=="string"?new S([[document.querySelector(t)]],[document.documentElement]):new S([[t]],Ce)}function er(t){let e;for(;e=t.sourceEvent;)t=e;return t}function X(t,e){if(t=er(t),e===void 0&&(e=t.currentTarget),e){var n=e.ownerSVGElement||e;if(n.createSVGPoint){var r=n.createSVGPoint();return r.x=t.clientX,r.y=t.clientY,r=r.matrixTransform(e.getScreenCTM().inverse()),[r.x,r.y]}if(e.getBoundingClientRect){var i=e.getBoundingClientRect();return[t.clientX-i.left-e.clientLeft,t.clientY-i.top-e.clientTop]}}return[t.pageX,t.pageY]}var co={value:()=>{}};function Tt(){for(var t=0,e=arguments.length,n={},r;t<e;++t){if(!(r=arguments[t]+"")||r in n||/[\s.]/.test(r))throw new Error("illegal type: "+r);n[r]=[]}return new Wt(n)}function Wt(t){this._=t}function ho(t,e){return t.trim().split(/^|\s+/).map(function(n){var r="",i=n.indexOf(".");if(i>=0&&(r=n.slice(i+1),n=n.slice(0,i)),n&&!e.hasOwnProperty(n))throw new Error("unknown type: "+n);return{type:n,name:r}})}Wt.prototype=Tt.prototype={constructor:Wt,on:function(t,e){var n=this._,r=ho(t+"",n),i,o=-1,a=r.length;if(arguments.length<2){for(;++o<a;)if((i=(t=r[o]).type)&&(i=fo(n[i],t.name)))return i;return}if(e!=null&&typeof e!="function")throw new Error("invalid callback: "+e);for(;++o<a;)if(i=(t=r[o]).type)n[i]=nr(n[i],t.name,e);else if(e==null)for(i in n)n[i]=nr(n[i],t.name,null);return this},copy:function(){var t={},e=this._;for(var n in e)t[n]=e[n].slice();return new Wt(t)},call:function(t,e){if((i=arguments.length-2)>0)for(var n=new Array(i),r=0,i,o;r<i;++r)n[r]=arguments[r+2];if(!this._.hasOwnProperty(t))throw new Error("unknown type: "+t);for(o=this._[t],r=0,i=o.length;r<i;++r)o[r].value.apply(e,n)},apply:function(t,e,n){if(!this._.hasOwnProperty(t))throw new Error("unknown type: "+t);for(var r=this._[t],i=0,o=r.length;i<o;++i)r[i].value.apply(e,n)}};function fo(t,e){for(var n=0,r=t.length,i;n<r;++n)if((i=t[n]).name===e)return i.value}function nr(t,e,n){for(var r=0,i=t.length;r<i;++r)if(t[r].name===e){t[r]=co,t=t.slice(0,r).concat(t.slice(r+1));break}return n!=null&&t.push({name:e,value:n}),t}var Ne={capture:!0,passive:!1};function Le(t){t.preventDefault(),t.stopImmediatePropagation()}function rr(t){var e=t.document.documentElement,n=L(t).on("dragstart.drag",Le,Ne);"onselectstart"in e?n.on("selectstart.drag",Le,Ne):(e.__noselect=e.style.MozUserSelect,e.style.MozUserSelect="none")}function ir(t,e){var n=t.document.documentElement,r=L(t).on("dragstart.drag",null);e&&(r.on("click.drag",Le,Ne),setTimeout(function(){r.on("click.drag",null)},0)),"onselectstart"in n?r.on("selectstart.drag",null):(n.style.MozUserSelect=n.__noselect,delete n.__noselect)}function po(t,{sourceEvent:e,subject:n,target:r,identifier:i,active:o,x:a,y:s,dx:l,dy:u,dispatch:h}){Object.defineProperties(this,{type:{value:t,enumerable:!0,configurable:!0},sourceEvent:{value:e,enumerable:!0,configurable:!0},subject:{value:n,enumerable:!0,configurable:!0},target:{value:r,enumerable:!0,configurable:!0},identifier:{value:i,enumerable:!0,configurable:!0},active:{value:o,enumerable:!0,configurable:!0},x:{value:a,enumerable:!0,configurable:!0},y:{value:s,enumerable:!0,configurable:!0},dx:{value:l,enumerable:!0,configurable:!0},dy:{value:u,enumerable:!0,configurable:!0},_:{value:h}})}po.prototype.on=function(){var t=this._.on.apply(this._,arguments);return t===this._?this:t};function wt(t,e,n){t.prototype=e.prototype=n,n.constructor=t}function Lt(t,e){var n=Object.create(t.prototype);for(var r in e)n[r]=e[r];return n}function it(){}var pt=.7,yt=1/pt,vt="\\s*([+-]?\\d+)\\s*",Ct="\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)\\s*",Y="\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)%\\s*",go=/^#([0-9a-f]{3,8})$/,mo=new RegExp(`^rgb\\(${vt},${vt},${vt}\\)$`),vo=new RegExp(`^rgb\\(${Y},${Y},${Y}\\)$`),xo=new RegExp(`^rgba\\(${vt},${vt},${vt},${Ct}\\)$`),yo=new RegExp(`^rgba\\(${Y},${Y},${Y},${Ct}\\)$`),wo=new RegExp(`^hsl\\(${Ct},${Y},${Y}\\)$`),bo=new RegExp(`^hsla\\(${Ct},${Y},${Y},${Ct}\\)$`),or={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074};wt(it,dt,{copy(t){return Object.assign(new this.constructor,this,t)},displayable(){return this.rgb().displayable()},hex:ar,formatHex:ar,formatHex8:_o,formatHsl:ko,formatRgb:sr,toString:sr});function ar(){return this.rgb().formatHex()}function _o(){return this.rgb().formatHex8()}function ko(){return mr(this).formatHsl()}function sr(){return this.rgb().formatRgb()}function dt(t){var e,n;return t=(t+"").trim().toLowerCase(),(e=go.exec(t))?(n=e[1].length,e=parseInt(e[1],16),n===6?lr(e):n===3?new T(e>>8&15|e>>4&240,e>>4&15|e&240,(e&15)<<4|e&15,1):n===8?Zt(e>>24&255,e>>16&255,e>>8&255,(e&255)/255):n===4?Zt(e>>12&15|e>>8&240,e>>8&15|e>>4&240,e>>4&15|e&240,((e&15)<<4|e&15)/255):null):(e=mo.exec(t))?new T(e[1],e[2],e[3],1):(e=vo.exec(t))?new T(e[1]*255/100,e[2]*255/100,e[3]*255/100,1):(e=xo.exec(t))?Zt(e[1],e[2],e[3],e[4]):(e=yo.exec(t))?Zt(e[1]*255/100,e[2]*255/100,e[3]*255/100,e[4]):(e=wo.exec(t))?hr(e[1],e[2]/100,e[3]/100,1):(e=bo.exec(t))?hr(e[1],e[2]/100,e[3]/100,e[4]):or.hasOwnProperty(t)?lr(or[t]):t==="transparent"?new T(NaN,NaN,NaN,0):null}function lr(t){return new T(t>>16&255,t>>8&255,t&255,1)}function Zt(t,e,n,r){return r<=0&&(t=e=n=NaN),new T(t,e,n,r)}function $e(t){return t instanceof it||(t=dt(t)),t?(t=t.rgb(),new T(t.r,t.g,t.b,t.opacity)):new T}function zt(t,e,n,r){return arguments.length===1?$e(t):new T(t,e,n,r??1)}function T(t,e,n,r){this.r=+t,this.g=+e,this.b=+n,this.opacity=+r}wt(T,zt,Lt(it,{brighter(t){return t=t==null?yt:Math.pow(yt,t),new T(this.r*t,this.g*t,this.b*t,this.opacity)},darker(t){return t=t==null?pt:Math.pow(pt,t),new T(this.r*t,this.g*t,this.b*t,this.opacity)},rgb(){return this},clamp(){return new T(ht(this.r),ht(this.g),ht(this.b),Jt(this.opacity))},displayable(){return-.5<=this.r&&this.r<255.5&&-.5<=this.g&&this.g<255.5&&-.5<=this.b&&this.b<255.5&&0<=this.opacity&&this.opacity<=1},hex:ur,formatHex:ur,formatHex8:Eo,formatRgb:cr,toString:cr}));function ur(){return`#${ct(this.r)}${ct(this.g)}${ct(this.b)}`}function Eo(){return`#${ct(this.r)}${ct(this.g)}${ct(this.b)}${ct((isNaN(this.opacity)?1:this.opacity)*255)}`}function cr(){let t=Jt(this.opacity);return`${t===1?"rgb(":"rgba("}${ht(this.r)}, ${ht(this.g)}, ${ht(this.b)}${t===1?")":`, ${t})`}`}function Jt(t){return isNaN(t)?1:Math.max(0,Math.min(1,t))}function ht(t){return Math.max(0,Math.min(255,Math.round(t)||0))}function ct(t){return t=ht(t),(t<16?"0":"")+t.toString(16)}function hr(t,e,n,r){return r<=0?t=e=n=NaN:n<=0||n>=1?t=e=NaN:e<=0&&(t=NaN),new H(t,e,n,r)}function mr(t){if(t instanceof H)return new H(t.h,t.s,t.l,t.opacity);if(t instanceof it||(t=dt(t)),!t)return new H;if(t instanceof H)return t;t=t.rgb();var e=t.r/255,n=t.g/255,r=t.b/255,i=Math.min(e,n,r),o=Math.max(e,n,r),a=NaN,s=o-i,l=(o+i)/2;return s?(e===o?a=(n-r)/s+(n<r)*6:n===o?a=(r-e)/s+2:a=(e-n)/s+4,s/=l<.5?o+i:2-o-i,a*=60):s=l>0&&l<1?0:a,new H(a,s,l,t.opacity)}function te(t,e,n,r){return arguments.length===1?mr(t):new H(t,e,n,r??1)}function H(t,e,n,r){this.h=+t,this.s=+e,this.l=+n,this.opacity=+r}wt(H,te,Lt(it,{brighter(t){return t=t==null?yt:Math.pow(yt,t),new H(this.h,this.s,this.l*t,this.opacity)},darker(t){return t=t==null?pt:Math.pow(pt,t),new H(this.h,this.s,this.l*t,this.opacity)},rgb(){var t=this.h%360+(this.h<0)*360,e=isNaN(t)||isNaN(this.s)?0:this.s,n=this.l,r=n+(n<.5?n:1-n)*e,i=2*n-r;return new T(ze(t>=240?t-240:t+120,i,r),ze(t,i,r),ze(t<120?t+240:t-120,i,r),this.opacity)},clamp(){return new H(fr(this.h),Qt(this.s),Qt(this.l),Jt(this.opacity))},displayable(){return(0<=this.s&&this.s<=1||isNaN(this.s))&&0<=this.l&&this.l<=1&&0<=this.opacity&&this.opacity<=1},formatHsl(){let t=Jt(this.opacity);return`${t===1?"hsl(":"hsla("}${fr(this.h)}, ${Qt(this.s)*100}%, ${Qt(this.l)*100}%${t===1?")":`, ${t})`}`}}));function fr(t){return t=(t||0)%360,t<0?t+360:t}function Qt(t){return Math.max(0,Math.min(1,t||0))}function ze(t,e,n){return(t<60?e+(n-e)*t/60:t<180?n:t<240?e+(n-e)*(240-t)/60:e)*255}var vr=Math.PI/180,xr=180/Math.PI,jt=18,yr=.96422,wr=1,br=.82521,_r=4/29,xt=6/29,kr=3*xt*xt,Mo=xt*xt*xt;function Er(t){if(t instanceof U)return new U(t.l,t.a,t.b,t.opacity);if(t instanceof Q)return Sr(t);t instanceof T||(t=$e(t));var e=Oe(t.r),n=Oe(t.g),r=Oe(t.b),i=Ie((.2225045*e+.7168786*n+.0606169*r)/wr),o,a;return e===n&&n===r?o=a=i:(o=Ie((.4360747*e+.3850649*n+.1430804*r)/yr),a=Ie((.0139322*e+.0971045*n+.7141733*r)/br)),new U(116*i-16,500*(o-i),200*(i-a),t.opacity)}function Mr(t,e,n,r){return arguments.length===1?Er(t):new U(t,e,n,r??1)}function U(t,e,n,r){this.l=+t,this.a=+e,this.b=+n,this.opacity=+r}wt(U,Mr,Lt(it,{brighter(t){return new U(this.l+jt*(t??1),this.a,this.b,this.opacity)},darker(t){return new U(this.l-jt*(t??1),this.a,this.b,this.opacity)},rgb(){var t=(this.l+16)/116,e=isNaN(this.a)?t:t+this.a/500,n=isNaN(this.b)?t:t-this.b/200;return e=yr*Re(e),t=wr*Re(t),n=br*Re(n),new T(De(3.1338561*e-1.6168667*t-.4906146*n),De(-.9787684*e+1.9161415*t+.033454*n),De(.0719453*e-.2289914*t+1.4052427*n),this.opacity)}}));function Ie(t){return t>Mo?Math.pow(t,1/3):t/kr+_r}function Re(t){return t>xt?t*t*t:kr*(t-_r)}function De(t){return 255*(t<=.0031308?12.92*t:1.055*Math.pow(t,1/2.4)-.055)}function Oe(t){return(t/=255)<=.04045?t/12.92:Math.pow((t+.055)/1.055,2.4)}function So(t){if(t instanceof Q)return new Q(t.h,t.c,t.l,t.opacity);if(t instanceof U||(t=Er(t)),t.a===0&&t.b===0)return new Q(NaN,0<t.l&&t.l<100?0:NaN,t.l,t.opacity);var e=Math.atan2(t.b,t.a)*xr;return new Q(e<0?e+360:e,Math.sqrt(t.a*t.a+t.b*t.b),t.l,t.opacity)}function ee(t,e,n,r){return arguments.length===1?So(t):new Q(t,e,n,r??1)}function Q(t,e,n,r){this.h=+t,this.c=+e,this.l=+n,this.opacity=+r}function Sr(t){if(isNaN(t.h))return new U(t.l,0,0,t.opacity);var e=t.h*vr;return new U(t.l,Math.cos(e)*t.c,Math.sin(e)*t.c,t.opacity)}wt(Q,ee,Lt(it,{brighter(t){return new Q(this.h,this.c,this.l+jt*(t??1),this.opacity)},darker(t){return new Q(this.h,this.c,this.l-jt*(t??1),this.opacity)},rgb(){return Sr(this).rgb()}}));var Ar=-.14861,Be=1.78277,Ge=-.29227,ne=-.90649,Nt=1.97294,pr=Nt*ne,dr=Nt*Be,gr=Be*Ge-ne*Ar;function Ao(t){if(t instanceof ft)return new ft(t.h,t.s,t.l,t.opacity);t instanceof T||(t=$e(t));var e=t.r/255,n=t.g/255,r=t.b/255,i=(gr*r+pr*e-dr*n)/(gr+pr-dr),o=r-i,a=(Nt*(n-i)-Ge*o)/ne,s=Math.sqrt(a*a+o*o)/(Nt*i*(1-i)),l=s?Math.atan2(a,o)*xr-120:NaN;return new ft(l<0?l+360:l,s,i,t.opacity)}function re(t,e,n,r){return arguments.length===1?Ao(t):new ft(t,e,n,r??1)}function ft(t,e,n,r){this.h=+t,this.s=+e,this.l=+n,this.opacity=+r}wt(ft,re,Lt(it,{brighter(t){return t=t==null?yt:Math.pow(yt,t),new ft(this.h,this.s,this.l*t,this.opacity)},darker(t){return t=t==null?pt:Math.pow(pt,t),new ft(this.h,this.s,this.l*t,this.opacity)},rgb(){var t=isNaN(this.h)?0:(this.h+120)*vr,e=+this.l,n=isNaN(this.s)?0:this.s*e*(1-e),r=Math.cos(t),i=Math.sin(t);return new T(255*(e+n*(Ar*r+Be*i)),255*(e+n*(Ge*r+ne*i)),255*(e+n*(Nt*r)),this.opacity)}}));function Nr(t,e,n,r,i){var o=t*t,a=o*t;return((1-3*t+3*o-a)*e+(4-6*o+3*a)*n+(1+3*t+3*o-3*a)*r+a*i)/6}function To(t){var e=t.length-1;return function(n){var r=n<=0?n=0:n>=1?(n=1,e-1):Math.floor(n*e),i=t[r],o=t[r+1],a=r>0?t[r-1]:2*i-o,s=r<e-1?t[r+2]:2*o-i;return Nr((n-r/e)*e,a,i,o,s)}}function Co(t){var e=t.length;return function(n){var r=Math.floor(((n%=1)<0?++n:n)*e),i=t[(r+e-1)%e],o=t[r%e],a=t[(r+1)%e],s=t[(r+2)%e];return Nr((n-r/e)*e,i,o,a,s)}}var qe=t=>()=>t;function Lr(t,e){return function(n){return t+n*e}}function No(t,e,n){return t=Math.pow(t,n),e=Math.pow(e,n)-t,n=1/n,function(r){return Math.pow(t+r*e,n)}}function Fe(t,e){var n=e-t;return n?Lr(t,n>180||n<-180?n-360*Math.round(n/360):n):qe(isNaN(t)?e:t)}function Lo(t){return(t=+t)==1?R:function(e,n){return n-e?No(e,n,t):qe(isNaN(e)?n:e)}}function R(t,e){var n=e-t;return n?Lr(t,n):qe(isNaN(t)?e:t)}var Xe=(function t(e){var n=Lo(e);function r(i,o){var a=n((i=zt(i)).r,(o=zt(o)).r),s=n(i.g,o.g),l=n(i.b,o.b),u=R(i.opacity,o.opacity);return function(h){return i.r=a(h),i.g=s(h),i.b=l(h),i.opacity=u(h),i+""}}return r.gamma=t,r})(1);function zr(t){return function(e){var n=e.length,r=new Array(n),i=new Array(n),o=new Array(n),a,s;for(a=0;a<n;++a)s=zt(e[a]),r[a]=s.r||0,i[a]=s.g||0,o[a]=s.b||0;return r=t(r),i=t(i),o=t(o),s.opacity=1,function(l){return s.r=r(l),s.g=i(l),s.b=o(l),s+""}}}var Du=zr(To),Ou=zr(Co);function J(t,e){return t=+t,e=+e,function(n){return t*(1-n)+e*n}}var Ve=/[-+]?(?:\d+\.?\d*|\.?\d+)(?:[eE][-+]?\d+)?/g,He=new RegExp(Ve.source,"g");function zo(t){return function(){return t}}function Io(t){return function(e){return t(e)+""}}function Ir(t,e){var n=Ve.lastIndex=He.lastIndex=0,r,i,o,a=-1,s=[],l=[];for(t=t+"",e=e+"";(r=Ve.exec(t))&&(i=He.exec(e));)(o=i.index)>n&&(o=e.slice(n,o),s[a]?s[a]+=o:s[++a]=o),(r=r[0])===(i=i[0])?s[a]?s[a]+=i:s[++a]=i:(s[++a]=null,l.push({i:a,x:J(r,i)})),n=He.lastIndex;return n<e.length&&(o=e.slice(n),s[a]?s[a]+=o:s[++a]=o),s.length<2?l[0]?Io(l[0].x):zo(e):(e=l.length,function(u){for(var h=0,p;h<e;++h)s[(p=l[h]).i]=p.x(u);return s.join("")})}var Tr=180/Math.PI,Pe={translateX:0,translateY:0,rotate:0,skewX:0,scaleX:1,scaleY:1};function Rr(t,e,n,r,i,o){var a,s,l;return(a=Math.sqrt(t*t+e*e))&&(t/=a,e/=a),(l=t*n+e*r)&&(n-=t*l,r-=e*l),(s=Math.sqrt(n*n+r*r))&&(n/=s,r/=s,l/=s),t*r<e*n&&(t=-t,e=-e,l=-l,a=-a),{translateX:i,translateY:o,rotate:Math.atan2(e,t)*Tr,skewX:Math.atan(l)*Tr,scaleX:a,scaleY:s}}var ie;function Ro(t){let e=new(typeof DOMMatrix=="function"?DOMMatrix:WebKitCSSMatrix)(t+"");return e.isIdentity?Pe:Rr(e.a,e.b,e.c,e.d,e.e,e.f)}function Do(t){return t==null||(ie||(ie=document.createElementNS("http://www.w3.org/2000/svg","g")),ie.setAttribute("transform",t),!(t=ie.transform.baseVal.consolidate()))?Pe:(t=t.matrix,Rr(t.a,t.b,t.c,t.d,t.e,t.f))}function Dr(t,e,n,r){function i(u){return u.length?u.pop()+" ":""}function o(u,h,p,d,g,_){if(u!==p||h!==d){var M=g.push("translate(",null,e,null,n);_.push({i:M-4,x:J(u,p)},{i:M-2,x:J(h,d)})}else(p||d)&&g.push("translate("+p+e+d+n)}function a(u,h,p,d){u!==h?(u-h>180?h+=360:h-u>180&&(u+=360),d.push({i:p.push(i(p)+"rotate(",null,r)-2,x:J(u,h)})):h&&p.push(i(p)+"rotate("+h+r)}function s(u,h,p,d){u!==h?d.push({i:p.push(i(p)+"skewX(",null,r)-2,x:J(u,h)}):h&&p.push(i(p)+"skewX("+h+r)}function l(u,h,p,d,g,_){if(u!==p||h!==d){var M=g.push(i(g)+"scale(",null,",",null,")");_.push({i:M-4,x:J(u,p)},{i:M-2,x:J(h,d)})}else(p!==1||d!==1)&&g.push(i(g)+"scale("+p+","+d+")")}return function(u,h){var p=[],d=[];return u=t(u),h=t(h),o(u.translateX,u.translateY,h.translateX,h.translateY,p,d),a(u.rotate,h.rotate,p,d),s(u.skewX,h.skewX,p,d),l(u.scaleX,u.scaleY,h.scaleX,h.scaleY,p,d),u=h=null,function(g){for(var _=-1,M=d.length,N;++_<M;)p[(N=d[_]).i]=N.x(g);return p.join("")}}}var Or=Dr(Ro,"px, ","px)","deg)"),$r=Dr(Do,", ",")",")"),Oo=1e-12;function Cr(t){return((t=Math.exp(t))+1/t)/2}function $o(t){return((t=Math.exp(t))-1/t)/2}function Bo(t){return((t=Math.exp(2*t))-1)/(t+1)}var Br=(function t(e,n,r){function i(o,a){var s=o[0],l=o[1],u=o[2],h=a[0],p=a[1],d=a[2],g=h-s,_=p-l,M=g*g+_*_,N,x;if(M<Oo)x=Math.log(d/u)/e,N=function(et){return[s+et*g,l+et*_,u*Math.exp(e*et*x)]};else{var z=Math.sqrt(M),I=(d*d-u*u+r*M)/(2*u*n*z),q=(d*d-u*u-r*M)/(2*d*n*z),O=Math.log(Math.sqrt(I*I+1)-I),$=Math.log(Math.sqrt(q*q+1)-q);x=($-O)/e,N=function(et){var Vt=et*x,Pt=Cr(O),qt=u/(n*z)*(Pt*Bo(e*Vt+O)-$o(O));return[s+qt*g,l+qt*_,u*Pt/Cr(e*Vt+O)]}}return N.duration=Math.abs(x)*1e3*e/Math.SQRT2,N}return i.rho=function(o){var a=Math.max(.001,+o),s=a*a,l=s*s;return t(a,s,l)},i})(Math.SQRT2,2,4);function Gr(t){return function(e,n){var r=t((e=te(e)).h,(n=te(n)).h),i=R(e.s,n.s),o=R(e.l,n.l),a=R(e.opacity,n.opacity);return function(s){return e.h=r(s),e.s=i(s),e.l=o(s),e.opacity=a(s),e+""}}}var $u=Gr(Fe),Bu=Gr(R);function Hr(t){return function(e,n){var r=t((e=ee(e)).h,(n=ee(n)).h),i=R(e.c,n.c),o=R(e.l,n.l),a=R(e.opacity,n.opacity);return function(s){return e.h=r(s),e.c=i(s),e.l=o(s),e.opacity=a(s),e+""}}}var Gu=Hr(Fe),Hu=Hr(R);function Vr(t){return(function e(n){n=+n;function r(i,o){var a=t((i=re(i)).h,(o=re(o)).h),s=R(i.s,o.s),l=R(i.l,o.l),u=R(i.opacity,o.opacity);return function(h){return i.h=a(h),i.s=s(h),i.l=l(Math.pow(h,n)),i.opacity=u(h),i+""}}return r.gamma=e,r})(1)}var Vu=Vr(Fe),Pu=Vr(R);var bt=0,Rt=0,It=0,qr=1e3,oe,Dt,ae=0,gt=0,le=0,Ot=typeof performance=="object"&&performance.now?performance:Date,Fr=typeof window=="object"&&window.requestAnimationFrame?window.requestAnimationFrame.bind(window):function(t){setTimeout(t,17)};function ue(){return gt||(Fr(Go),gt=Ot.now()+le)}function Go(){gt=0}function se(){this._call=this._time=this._next=null}se.prototype=Ue.prototype={constructor:se,restart:function(t,e,n){if(typeof t!="function")throw new TypeError("callback is not a function");n=(n==null?ue():+n)+(e==null?0:+e),!this._next&&Dt!==this&&(Dt?Dt._next=this:oe=this,Dt=this),this._call=t,this._time=n,Ye()},stop:function(){this._call&&(this._call=null,this._time=1/0,Ye())}};function Ue(t,e,n){var r=new se;return r.restart(t,e,n),r}function Ho(){ue(),++bt;for(var t=oe,e;t;)(e=gt-t._time)>=0&&t._call.call(void 0,e),t=t._next;--bt}function Pr(){gt=(ae=Ot.now())+le,bt=Rt=0;try{Ho()}finally{bt=0,Po(),gt=0}}function Vo(){var t=Ot.now(),e=t-ae;e>qr&&(le-=e,ae=t)}function Po(){for(var t,e=oe,n,r=1/0;e;)e._call?(r>e._time&&(r=e._time),t=e,e=e._next):(n=e._next,e._next=null,e=t?t._next=n:oe=n);Dt=t,Ye(r)}function Ye(t){if(!bt){Rt&&(Rt=clearTimeout(Rt));var e=t-gt;e>24?(t<1/0&&(Rt=setTimeout(Pr,Math.ceil(t-Ot.now()-le)+1)),It&&(It=clearInterval(It))):(It||(ae=Ot.now(),It=setInterval(Vo,qr)),bt=1,Fr(Pr))}}function Ke(t,e,n){var r=new se;return e=e==null?0:+e,r.restart(i=>{r.stop(),t(i+e)},e,n),r}function Yr(t){return((t*=2)<=1?t*t*t:(t-=2)*t*t+2)/2}var We=3,Xu=(function t(e){e=+e;function n(r){return Math.pow(r,e)}return n.exponent=t,n})(We),Yu=(function t(e){e=+e;function n(r){return 1-Math.pow(1-r,e)}return n.exponent=t,n})(We),Uu=(function t(e){e=+e;function n(r){return((r*=2)<=1?Math.pow(r,e):2-Math.pow(2-r,e))/2}return n.exponent=t,n})(We),qo=Math.PI,Ku=qo/2;function ce(t){return(Math.pow(2,-10*t)-.0009765625)*1.0009775171065494}var Xr=4/11,Wu=6/11,Zu=8/11,Qu=3/4,Ju=9/11,ju=10/11,tc=15/16,ec=21/22,nc=63/64,rc=1/Xr/Xr;var Ze=1.70158,ic=(function t(e){e=+e;function n(r){return(r=+r)*r*(e*(r-1)+r)}return n.overshoot=t,n})(Ze),oc=(function t(e){e=+e;function n(r){return--r*r*((r+1)*e+r)+1}return n.overshoot=t,n})(Ze),ac=(function t(e){e=+e;function n(r){return((r*=2)<1?r*r*((e+1)*r-e):(r-=2)*r*((e+1)*r+e)+2)/2}return n.overshoot=t,n})(Ze),_t=2*Math.PI,Qe=1,Je=.3,sc=(function t(e,n){var r=Math.asin(1/(e=Math.max(1,e)))*(n/=_t);function i(o){return e*ce(- --o)*Math.sin((r-o)/n)}return i.amplitude=function(o){return t(o,n*_t)},i.period=function(o){return t(e,o)},i})(Qe,Je),lc=(function t(e,n){var r=Math.asin(1/(e=Math.max(1,e)))*(n/=_t);function i(o){return 1-e*ce(o=+o)*Math.sin((o+r)/n)}return i.amplitude=function(o){return t(o,n*_t)},i.period=function(o){return t(e,o)},i})(Qe,Je),uc=(function t(e,n){var r=Math.asin(1/(e=Math.max(1,e)))*(n/=_t);function i(o){return((o=o*2-1)<0?e*ce(-o)*Math.sin((r-o)/n):2-e*ce(o)*Math.sin((r+o)/n))/2}return i.amplitude=function(o){return t(o,n*_t)},i.period=function(o){return t(e,o)},i})(Qe,Je);var Fo=Tt("start","end","cancel","interrupt"),Xo=[],Wr=0,Ur=1,je=2,he=3,Kr=4,tn=5,fe=6;function pe(t,e,n,r,i,o){var a=t.__transition;if(!a)t.__transition={};else if(n in a)return;Yo(t,n,{name:e,index:r,group:i,on:Fo,tween:Xo,time:o.time,delay:o.delay,duration:o.duration,ease:o.ease,timer:null,state:Wr})}function en(t,e){var n=V(t,e);if(n.state>Wr)throw new Error("too late; already scheduled");return n}function K(t,e){var n=V(t,e);if(n.state>he)throw new Error("too late; already running");return n}function V(t,e){var n=t.__transition;if(!n||!(n=n[e]))throw new Error("transition not found");return n}function Yo(t,e,n){var r=t.__transition,i;r[e]=n,n.timer=Ue(o,0,n.time);function o(u){n.state=Ur,n.timer.restart(a,n.delay,n.time),n.delay<=u&&a(u-n.delay)}function a(u){var h,p,d,g;if(n.state!==Ur)return l();for(h in r)if(g=r[h],g.name===n.name){if(g.state===he)return Ke(a);g.state===Kr?(g.state=fe,g.timer.stop(),g.on.call("interrupt",t,t.__data__,g.index,g.group),delete r[h]):+h<e&&(g.state=fe,g.timer.stop(),g.on.call("cancel",t,t.__data__,g.index,g.group),delete r[h])}if(Ke(function(){n.state===he&&(n.state=Kr,n.timer.restart(s,n.delay,n.time),s(u))}),n.state=je,n.on.call("start",t,t.__data__,n.index,n.group),n.state===je){for(n.state=he,i=new Array(d=n.tween.length),h=0,p=-1;h<d;++h)(g=n.tween[h].value.call(t,t.__data__,n.index,n.group))&&(i[++p]=g);i.length=p+1}}function s(u){for(var h=u<n.duration?n.ease.call(null,u/n.duration):(n.timer.restart(l),n.state=tn,1),p=-1,d=i.length;++p<d;)i[p].call(t,h);n.state===tn&&(n.on.call("end",t,t.__data__,n.index,n.group),l())}function l(){n.state=fe,n.timer.stop(),delete r[e];for(var u in r)return;delete t.__transition}}function $t(t,e){var n=t.__transition,r,i,o=!0,a;if(n){e=e==null?null:e+"";for(a in n){if((r=n[a]).name!==e){o=!1;continue}i=r.state>je&&r.state<tn,r.state=fe,r.timer.stop(),r.on.call(i?"interrupt":"cancel",t,t.__data__,r.index,r.group),delete n[a]}o&&delete t.__transition}}function Uo(t){return this.each(function(){$t(this,t)})}function Ko(t,e){var n,r;return function(){var i=K(this,t),o=i.tween;if(o!==n){r=n=o;for(var a=0,s=r.length;a<s;++a)if(r[a].name===e){r=r.slice(),r.splice(a,1);break}}i.tween=r}}function Wo(t,e,n){var r,i;if(typeof n!="function")throw new Error;return function(){var o=K(this,t),a=o.tween;if(a!==r){i=(r=a).slice();for(var s={name:e,value:n},l=0,u=i.length;l<u;++l)if(i[l].name===e){i[l]=s;break}l===u&&i.push(s)}o.tween=i}}function Zo(t,e){var n=this._id;if(t+="",arguments.length<2){for(var r=V(this.node(),n).tween,i=0,o=r.length,a;i<o;++i)if((a=r[i]).name===t)return a.value;return null}return this.each((e==null?Ko:Wo)(n,t,e))}function nn(t,e,n){var r=t._id;return t.each(function(){var i=K(this,r);(i.value||(i.value={}))[e]=n.apply(this,arguments)}),function(i){return V(i,r).value[e]}}function Zr(t,e){var n;return(typeof e=="number"?J:e instanceof dt?Xe:(n=dt(e))?(e=n,Xe):Ir)(t,e)}function Qo(t){return function(){this.removeAttribute(t)}}function Jo(t){return function(){this.removeAttributeNS(t.space,t.local)}}function jo(t,e,n){var r,i=n+"",o;return function(){var a=this.getAttribute(t);return a===i?null:a===r?o:o=e(r=a,n)}}function ta(t,e,n){var r,i=n+"",o;return function(){var a=this.getAttributeNS(t.space,t.local);return a===i?null:a===r?o:o=e(r=a,n)}}function ea(t,e,n){var r,i,o;return function(){var a,s=n(this),l;return s==null?void this.removeAttribute(t):(a=this.getAttribute(t),l=s+"",a===l?null:a===r&&l===i?o:(i=l,o=e(r=a,s)))}}function na(t,e,n){var r,i,o;return function(){var a,s=n(this),l;return s==null?void this.removeAttributeNS(t.space,t.local):(a=this.getAttributeNS(t.space,t.local),l=s+"",a===l?null:a===r&&l===i?o:(i=l,o=e(r=a,s)))}}function ra(t,e){var n=nt(t),r=n==="transform"?$r:Zr;return this.attrTween(t,typeof e=="function"?(n.local?na:ea)(n,r,nn(this,"attr."+t,e)):e==null?(n.local?Jo:Qo)(n):(n.local?ta:jo)(n,r,e))}function ia(t,e){return function(n){this.setAttribute(t,e.call(this,n))}}function oa(t,e){return function(n){this.setAttributeNS(t.space,t.local,e.call(this,n))}}function aa(t,e){var n,r;function i(){var o=e.apply(this,arguments);return o!==r&&(n=(r=o)&&oa(t,o)),n}return i._value=e,i}function sa(t,e){var n,r;function i(){var o=e.apply(this,arguments);return o!==r&&(n=(r=o)&&ia(t,o)),n}return i._value=e,i}function la(t,e){var n="attr."+t;if(arguments.length<2)return(n=this.tween(n))&&n._value;if(e==null)return this.tween(n,null);if(typeof e!="function")throw new Error;var r=nt(t);return this.tween(n,(r.local?aa:sa)(r,e))}function ua(t,e){return function(){en(this,t).delay=+e.apply(this,arguments)}}function ca(t,e){return e=+e,function(){en(this,t).delay=e}}function ha(t){var e=this._id;return arguments.length?this.each((typeof t=="function"?ua:ca)(e,t)):V(this.node(),e).delay}function fa(t,e){return function(){K(this,t).duration=+e.apply(this,arguments)}}function pa(t,e){return e=+e,function(){K(this,t).duration=e}}function da(t){var e=this._id;return arguments.length?this.each((typeof t=="function"?fa:pa)(e,t)):V(this.node(),e).duration}function ga(t,e){if(typeof e!="function")throw new Error;return function(){K(this,t).ease=e}}function ma(t){var e=this._id;return arguments.length?this.each(ga(e,t)):V(this.node(),e).ease}function va(t,e){return function(){var n=e.apply(this,arguments);if(typeof n!="function")throw new Error;K(this,t).ease=n}}function xa(t){if(typeof t!="function")throw new Error;return this.each(va(this._id,t))}function ya(t){typeof t!="function"&&(t=St(t));for(var e=this._groups,n=e.length,r=new Array(n),i=0;i<n;++i)for(var o=e[i],a=o.length,s=r[i]=[],l,u=0;u<a;++u)(l=o[u])&&t.call(l,l.__data__,u,o)&&s.push(l);return new tt(r,this._parents,this._name,this._id)}function wa(t){if(t._id!==this._id)throw new Error;for(var e=this._groups,n=t._groups,r=e.length,i=n.length,o=Math.min(r,i),a=new Array(r),s=0;s<o;++s)for(var l=e[s],u=n[s],h=l.length,p=a[s]=new Array(h),d,g=0;g<h;++g)(d=l[g]||u[g])&&(p[g]=d);for(;s<r;++s)a[s]=e[s];return new tt(a,this._parents,this._name,this._id)}function ba(t){return(t+"").trim().split(/^|\s+/).every(function(e){var n=e.indexOf(".");return n>=0&&(e=e.slice(0,n)),!e||e==="start"})}function _a(t,e,n){var r,i,o=ba(e)?en:K;return function(){var a=o(this,t),s=a.on;s!==r&&(i=(r=s).copy()).on(e,n),a.on=i}}function ka(t,e){var n=this._id;return arguments.length<2?V(this.node(),n).on.on(t):this.each(_a(n,t,e))}function Ea(t){return function(){var e=this.parentNode;for(var n in this.__transition)if(+n!==t)return;e&&e.removeChild(this)}}function Ma(){return this.on("end.remove",Ea(this._id))}function Sa(t){var e=this._name,n=this._id;typeof t!="function"&&(t=lt(t));for(var r=this._groups,i=r.length,o=new Array(i),a=0;a<i;++a)for(var s=r[a],l=s.length,u=o[a]=new Array(l),h,p,d=0;d<l;++d)(h=s[d])&&(p=t.call(h,h.__data__,d,s))&&("__data__"in h&&(p.__data__=h.__data__),u[d]=p,pe(u[d],e,n,d,u,V(h,n)));return new tt(o,this._parents,e,n)}function Aa(t){var e=this._name,n=this._id;typeof t!="function"&&(t=Mt(t));for(var r=this._groups,i=r.length,o=[],a=[],s=0;s<i;++s)for(var l=r[s],u=l.length,h,p=0;p<u;++p)if(h=l[p]){for(var d=t.call(h,h.__data__,p,l),g,_=V(h,n),M=0,N=d.length;M<N;++M)(g=d[M])&&pe(g,e,n,M,d,_);o.push(d),a.push(h)}return new tt(o,a,e,n)}var Ta=ut.prototype.constructor;function Ca(){return new Ta(this._groups,this._parents)}function Na(t,e){var n,r,i;return function(){var o=rt(this,t),a=(this.style.removeProperty(t),rt(this,t));return o===a?null:o===n&&a===r?i:i=e(n=o,r=a)}}function Qr(t){return function(){this.style.removeProperty(t)}}function La(t,e,n){var r,i=n+"",o;return function(){var a=rt(this,t);return a===i?null:a===r?o:o=e(r=a,n)}}function za(t,e,n){var r,i,o;return function(){var a=rt(this,t),s=n(this),l=s+"";return s==null&&(l=s=(this.style.removeProperty(t),rt(this,t))),a===l?null:a===r&&l===i?o:(i=l,o=e(r=a,s))}}function Ia(t,e){var n,r,i,o="style."+e,a="end."+o,s;return function(){var l=K(this,t),u=l.on,h=l.value[o]==null?s||(s=Qr(e)):void 0;(u!==n||i!==h)&&(r=(n=u).copy()).on(a,i=h),l.on=r}}function Ra(t,e,n){var r=(t+="")=="transform"?Or:Zr;return e==null?this.styleTween(t,Na(t,r)).on("end.style."+t,Qr(t)):typeof e=="function"?this.styleTween(t,za(t,r,nn(this,"style."+t,e))).each(Ia(this._id,t)):this.styleTween(t,La(t,r,e),n).on("end.style."+t,null)}function Da(t,e,n){return function(r){this.style.setProperty(t,e.call(this,r),n)}}function Oa(t,e,n){var r,i;function o(){var a=e.apply(this,arguments);return a!==i&&(r=(i=a)&&Da(t,a,n)),r}return o._value=e,o}function $a(t,e,n){var r="style."+(t+="");if(arguments.length<2)return(r=this.tween(r))&&r._value;if(e==null)return this.tween(r,null);if(typeof e!="function")throw new Error;return this.tween(r,Oa(t,e,n??""))}function Ba(t){return function(){this.textContent=t}}function Ga(t){return function(){var e=t(this);this.textContent=e??""}}function Ha(t){return this.tween("text",typeof t=="function"?Ga(nn(this,"text",t)):Ba(t==null?"":t+""))}function Va(t){return function(e){this.textContent=t.call(this,e)}}function Pa(t){var e,n;function r(){var i=t.apply(this,arguments);return i!==n&&(e=(n=i)&&Va(i)),e}return r._value=t,r}function qa(t){var e="text";if(arguments.length<1)return(e=this.tween(e))&&e._value;if(t==null)return this.tween(e,null);if(typeof t!="function")throw new Error;return this.tween(e,Pa(t))}function Fa(){for(var t=this._name,e=this._id,n=Jr(),r=this._groups,i=r.length,o=0;o<i;++o)for(var a=r[o],s=a.length,l,u=0;u<s;++u)if(l=a[u]){var h=V(l,e);pe(l,t,n,u,a,{time:h.time+h.delay+h.duration,delay:0,duration:h.duration,ease:h.ease})}return new tt(r,this._parents,t,n)}function Xa(){var t,e,n=this,r=n._id,i=n.size();return new Promise(function(o,a){var s={value:a},l={value:function(){--i===0&&o()}};n.each(function(){var u=K(this,r),h=u.on;h!==t&&(e=(t=h).copy(),e._.cancel.push(s),e._.interrupt.push(s),e._.end.push(l)),u.on=e}),i===0&&o()})}var Ya=0;function tt(t,e,n,r){this._groups=t,this._parents=e,this._name=n,this._id=r}function Ua(t){return ut().transition(t)}function Jr(){return++Ya}var j=ut.prototype;tt.prototype=Ua.prototype={constructor:tt,select:Sa,selectAll:Aa,selectChild:j.selectChild,selectChildren:j.selectChildren,filter:ya,merge:wa,selection:Ca,transition:Fa,call:j.call,nodes:j.nodes,node:j.node,size:j.size,empty:j.empty,each:j.each,on:ka,attr:ra,attrTween:la,style:Ra,styleTween:$a,text:Ha,textTween:qa,remove:Ma,tween:Zo,delay:ha,duration:da,ease:ma,easeVarying:xa,end:Xa,[Symbol.iterator]:j[Symbol.iterator]};var Ka={time:null,delay:0,duration:250,ease:Yr};function Wa(t,e){for(var n;!(n=t.__transition)||!(n=n[e]);)if(!(t=t.parentNode))throw new Error(`transition ${e} not found`);return n}function Za(t){var e,n;t instanceof tt?(e=t._id,t=t._name):(e=Jr(),(n=Ka).time=ue(),t=t==null?null:t+"");for(var r=this._groups,i=r.length,o=0;o<i;++o)for(var a=r[o],s=a.length,l,u=0;u<s;++u)(l=a[u])&&pe(l,t,e,u,a,n||Wa(l,e));return new tt(r,this._parents,t,e)}ut.prototype.interrupt=Uo;ut.prototype.transition=Za;var Bt=t=>()=>t;function rn(t,{sourceEvent:e,target:n,transform:r,dispatch:i}){Object.defineProperties(this,{type:{value:t,enumerable:!0,configurable:!0},sourceEvent:{value:e,enumerable:!0,configurable:!0},target:{value:n,enumerable:!0,configurable:!0},transform:{value:r,enumerable:!0,configurable:!0},_:{value:i}})}function P(t,e,n){this.k=t,this.x=e,this.y=n}P.prototype={constructor:P,scale:function(t){return t===1?this:new P(this.k*t,this.x,this.y)},translate:function(t,e){return t===0&e===0?this:new P(this.k,this.x+this.k*t,this.y+this.k*e)},apply:function(t){return[t[0]*this.k+this.x,t[1]*this.k+this.y]},applyX:function(t){return t*this.k+this.x},applyY:function(t){return t*this.k+this.y},invert:function(t){return[(t[0]-this.x)/this.k,(t[1]-this.y)/this.k]},invertX:function(t){return(t-this.x)/this.k},invertY:function(t){return(t-this.y)/this.k},rescaleX:function(t){return t.copy().domain(t.range().map(this.invertX,this).map(t.invert,t))},rescaleY:function(t){return t.copy().domain(t.range().map(this.invertY,this).map(t.invert,t))},toString:function(){return"translate("+this.x+","+this.y+") scale("+this.k+")"}};var ot=new P(1,0,0);on.prototype=P.prototype;function on(t){for(;!t.__zoom;)if(!(t=t.parentNode))return ot;return t.__zoom}function de(t){t.stopImmediatePropagation()}function kt(t){t.preventDefault(),t.stopImmediatePropagation()}function Qa(t){return(!t.ctrlKey||t.type==="wheel")&&!t.button}function Ja(){var t=this;return t instanceof SVGElement?(t=t.ownerSVGElement||t,t.hasAttribute("viewBox")?(t=t.viewBox.baseVal,[[t.x,t.y],[t.x+t.width,t.y+t.height]]):[[0,0],[t.width.baseVal.value,t.height.baseVal.value]]):[[0,0],[t.clientWidth,t.clientHeight]]}function jr(){return this.__zoom||ot}function ja(t){return-t.deltaY*(t.deltaMode===1?.05:t.deltaMode?1:.002)*(t.ctrlKey?10:1)}function ts(){return navigator.maxTouchPoints||"ontouchstart"in this}function es(t,e,n){var r=t.invertX(e[0][0])-n[0][0],i=t.invertX(e[1][0])-n[1][0],o=t.invertY(e[0][1])-n[0][1],a=t.invertY(e[1][1])-n[1][1];return t.translate(i>r?(r+i)/2:Math.min(0,r)||Math.max(0,i),a>o?(o+a)/2:Math.min(0,o)||Math.max(0,a))}function an(){var t=Qa,e=Ja,n=es,r=ja,i=ts,o=[0,1/0],a=[[-1/0,-1/0],[1/0,1/0]],s=250,l=Br,u=Tt("start","zoom","end"),h,p,d,g=500,_=150,M=0,N=10;function x(c){c.property("__zoom",jr).on("wheel.zoom",Vt,{passive:!1}).on("mousedown.zoom",Pt).on("dblclick.zoom",qt).filter(i).on("touchstart.zoom",li).on("touchmove.zoom",ui).on("touchend.zoom touchcancel.zoom",ci).style("-webkit-tap-highlight-color","rgba(0,0,0,0)")}x.transform=function(c,m,f,v){var y=c.selection?c.selection():c;y.property("__zoom",jr),c!==y?O(c,m,f,v):y.interrupt().each(function(){$(this,arguments).event(v).start().zoom(null,typeof m=="function"?m.apply(this,arguments):m).end()})},x.scaleBy=function(c,m,f,v){x.scaleTo(c,function(){var y=this.__zoom.k,w=typeof m=="function"?m.apply(this,arguments):m;return y*w},f,v)},x.scaleTo=function(c,m,f,v){x.transform(c,function(){var y=e.apply(this,arguments),w=this.__zoom,b=f==null?q(y):typeof f=="function"?f.apply(this,arguments):f,E=w.invert(b),A=typeof m=="function"?m.apply(this,arguments):m;return n(I(z(w,A),b,E),y,a)},f,v)},x.translateBy=function(c,m,f,v){x.transform(c,function(){return n(this.__zoom.translate(typeof m=="function"?m.apply(this,arguments):m,typeof f=="function"?f.apply(this,arguments):f),e.apply(this,arguments),a)},null,v)},x.translateTo=function(c,m,f,v,y){x.transform(c,function(){var w=e.apply(this,arguments),b=this.__zoom,E=v==null?q(w):typeof v=="function"?v.apply(this,arguments):v;return n(ot.translate(E[0],E[1]).scale(b.k).translate(typeof m=="function"?-m.apply(this,arguments):-m,typeof f=="function"?-f.apply(this,arguments):-f),w,a)},v,y)};function z(c,m){return m=Math.max(o[0],Math.min(o[1],m)),m===c.k?c:new P(m,c.x,c.y)}function I(c,m,f){var v=m[0]-f[0]*c.k,y=m[1]-f[1]*c.k;return v===c.x&&y===c.y?c:new P(c.k,v,y)}function q(c){return[(+c[0][0]+ +c[1][0])/2,(+c[0][1]+ +c[1][1])/2]}function O(c,m,f,v){c.on("start.zoom",function(){$(this,arguments).event(v).start()}).on("interrupt.zoom end.zoom",function(){$(this,arguments).event(v).end()}).tween("zoom",function(){var y=this,w=arguments,b=$(y,w).event(v),E=e.apply(y,w),A=f==null?q(E):typeof f=="function"?f.apply(y,w):f,F=Math.max(E[1][0]-E[0][0],E[1][1]-E[0][1]),C=y.__zoom,B=typeof m=="function"?m.apply(y,w):m,W=l(C.invert(A).concat(F/C.k),B.invert(A).concat(F/B.k));return function(G){if(G===1)G=B;else{var Z=W(G),ke=F/Z[2];G=new P(ke,A[0]-Z[0]*ke,A[1]-Z[1]*ke)}b.zoom(null,G)}})}function $(c,m,f){return!f&&c.__zooming||new et(c,m)}function et(c,m){this.that=c,this.args=m,this.active=0,this.sourceEvent=null,this.extent=e.apply(c,m),this.taps=0}et.prototype={event:function(c){return c&&(this.sourceEvent=c),this},start:function(){return++this.active===1&&(this.that.__zooming=this,this.emit("start")),this},zoom:function(c,m){return this.mouse&&c!=="mouse"&&(this.mouse[1]=m.invert(this.mouse[0])),this.touch0&&c!=="touch"&&(this.touch0[1]=m.invert(this.touch0[0])),this.touch1&&c!=="touch"&&(this.touch1[1]=m.invert(this.touch1[0])),this.that.__zoom=m,this.emit("zoom"),this},end:function(){return--this.active===0&&(delete this.that.__zooming,this.emit("end")),this},emit:function(c){var m=L(this.that).datum();u.call(c,this.that,new rn(c,{sourceEvent:this.sourceEvent,target:x,type:c,transform:this.that.__zoom,dispatch:u}),m)}};function Vt(c,...m){if(!t.apply(this,arguments))return;var f=$(this,m).event(c),v=this.__zoom,y=Math.max(o[0],Math.min(o[1],v.k*Math.pow(2,r.apply(this,arguments)))),w=X(c);if(f.wheel)(f.mouse[0][0]!==w[0]||f.mouse[0][1]!==w[1])&&(f.mouse[1]=v.invert(f.mouse[0]=w)),clearTimeout(f.wheel);else{if(v.k===y)return;f.mouse=[w,v.invert(w)],$t(this),f.start()}kt(c),f.wheel=setTimeout(b,_),f.zoom("mouse",n(I(z(v,y),f.mouse[0],f.mouse[1]),f.extent,a));function b(){f.wheel=null,f.end()}}function Pt(c,...m){if(d||!t.apply(this,arguments))return;var f=c.currentTarget,v=$(this,m,!0).event(c),y=L(c.view).on("mousemove.zoom",A,!0).on("mouseup.zoom",F,!0),w=X(c,f),b=c.clientX,E=c.clientY;rr(c.view),de(c),v.mouse=[w,this.__zoom.invert(w)],$t(this),v.start();function A(C){if(kt(C),!v.moved){var B=C.clientX-b,W=C.clientY-E;v.moved=B*B+W*W>M}v.event(C).zoom("mouse",n(I(v.that.__zoom,v.mouse[0]=X(C,f),v.mouse[1]),v.extent,a))}function F(C){y.on("mousemove.zoom mouseup.zoom",null),ir(C.view,v.moved),kt(C),v.event(C).end()}}function qt(c,...m){if(t.apply(this,arguments)){var f=this.__zoom,v=X(c.changedTouches?c.changedTouches[0]:c,this),y=f.invert(v),w=f.k*(c.shiftKey?.5:2),b=n(I(z(f,w),v,y),e.apply(this,m),a);kt(c),s>0?L(this).transition().duration(s).call(O,b,v,c):L(this).call(x.transform,b,v,c)}}function li(c,...m){if(t.apply(this,arguments)){var f=c.touches,v=f.length,y=$(this,m,c.changedTouches.length===v).event(c),w,b,E,A;for(de(c),b=0;b<v;++b)E=f[b],A=X(E,this),A=[A,this.__zoom.invert(A),E.identifier],y.touch0?!y.touch1&&y.touch0[2]!==A[2]&&(y.touch1=A,y.taps=0):(y.touch0=A,w=!0,y.taps=1+!!h);h&&(h=clearTimeout(h)),w&&(y.taps<2&&(p=A[0],h=setTimeout(function(){h=null},g)),$t(this),y.start())}}function ui(c,...m){if(this.__zooming){var f=$(this,m).event(c),v=c.changedTouches,y=v.length,w,b,E,A;for(kt(c),w=0;w<y;++w)b=v[w],E=X(b,this),f.touch0&&f.touch0[2]===b.identifier?f.touch0[0]=E:f.touch1&&f.touch1[2]===b.identifier&&(f.touch1[0]=E);if(b=f.that.__zoom,f.touch1){var F=f.touch0[0],C=f.touch0[1],B=f.touch1[0],W=f.touch1[1],G=(G=B[0]-F[0])*G+(G=B[1]-F[1])*G,Z=(Z=W[0]-C[0])*Z+(Z=W[1]-C[1])*Z;b=z(b,Math.sqrt(G/Z)),E=[(F[0]+B[0])/2,(F[1]+B[1])/2],A=[(C[0]+W[0])/2,(C[1]+W[1])/2]}else if(f.touch0)E=f.touch0[0],A=f.touch0[1];else return;f.zoom("touch",n(I(b,E,A),f.extent,a))}}function ci(c,...m){if(this.__zooming){var f=$(this,m).event(c),v=c.changedTouches,y=v.length,w,b;for(de(c),d&&clearTimeout(d),d=setTimeout(function(){d=null},g),w=0;w<y;++w)b=v[w],f.touch0&&f.touch0[2]===b.identifier?delete f.touch0:f.touch1&&f.touch1[2]===b.identifier&&delete f.touch1;if(f.touch1&&!f.touch0&&(f.touch0=f.touch1,delete f.touch1),f.touch0)f.touch0[1]=this.__zoom.invert(f.touch0[0]);else if(f.end(),f.taps===2&&(b=X(b,this),Math.hypot(p[0]-b[0],p[1]-b[1])<N)){var E=L(this).on("dblclick.zoom");E&&E.apply(this,arguments)}}}return x.wheelDelta=function(c){return arguments.length?(r=typeof c=="function"?c:Bt(+c),x):r},x.filter=function(c){return arguments.length?(t=typeof c=="function"?c:Bt(!!c),x):t},x.touchable=function(c){return arguments.length?(i=typeof c=="function"?c:Bt(!!c),x):i},x.extent=function(c){return arguments.length?(e=typeof c=="function"?c:Bt([[+c[0][0],+c[0][1]],[+c[1][0],+c[1][1]]]),x):e},x.scaleExtent=function(c){return arguments.length?(o[0]=+c[0],o[1]=+c[1],x):[o[0],o[1]]},x.translateExtent=function(c){return arguments.length?(a[0][0]=+c[0][0],a[1][0]=+c[1][0],a[0][1]=+c[0][1],a[1][1]=+c[1][1],x):[[a[0][0],a[0][1]],[a[1][0],a[1][1]]]},x.constrain=function(c){return arguments.length?(n=c,x):n},x.duration=function(c){return arguments.length?(s=+c,x):s},x.interpolate=function(c){return arguments.length?(l=c,x):l},x.on=function(){var c=u.on.apply(u,arguments);return c===u?x:c},x.clickDistance=function(c){return arguments.length?(M=(c=+c)*c,x):Math.sqrt(M)},x.tapDistance=function(c){return arguments.length?(N=+c,x):N},x}function k(t,e={},...n){let r=document.createElement(t);for(let[i,o]of Object.entries(e))r.setAttribute(i,o);for(let i of n)i!==null&&r.append(i);return r}function at(t){return k("span",{class:"icon","aria-hidden":"true"},t)}function D(t,e,n){let r=k("button",{type:"button",title:t,"aria-label":t},e);return r.addEventListener("click",n),r}var sn=new Intl.NumberFormat("en-US");var st=new Map,ln=0,ns=()=>{};var Gt=class extends Error{};function un(t,e="high"){let n=st.get(t);if(n)return st.delete(t),st.set(t,n),n.text;let r={text:rs(t,e),size:0};return st.set(t,r),r.text.then(i=>{if(st.get(t)===r){r.size=i.length,ln+=r.size;for(let[o,{size:a}]of st){if(ln<=100663296||o===t)break;ln-=a,st.delete(o)}}},()=>st.delete(t)),r.text}async function rs(t,e){let n=ns(t);if(n!==void 0)return n;let r;try{r=await fetch(t,{priority:e})}catch{throw new Gt("The server cannot be reached. Check that it still runs, then try again.")}if(!r.ok){let i=(await r.text().catch(()=>"")).trim();throw i&&i.length<200&&!i.includes("<")?new Gt(i):new Gt(`The server answered with status ${r.status}. Try again.`)}return r.text()}var ge=class{constructor(e,n){this.root=e;this.resized=n;this.scroller=is(e),this.observer=new ResizeObserver(()=>this.fit()),this.observer.observe(this.scroller),this.scroller.firstElementChild&&this.observer.observe(this.scroller.firstElementChild)}root;resized;height="fill";observer;scroller;set(e){this.height=e,this.fit()}fit(){if(!this.root.isConnected)return;let e=Math.round(this.height==="fill"?this.room():this.height);Math.abs(this.root.offsetHeight-e)<2||(this.root.style.height=`${e}px`,this.resized())}room(){let e=this.scroller.getBoundingClientRect(),n=this.root.getBoundingClientRect().top-e.top+this.scroller.scrollTop;return Math.max(320,this.scroller.clientHeight-n-16)}close(){this.observer.disconnect()}};function is(t){let e=t;for(;e=e.parentNode??(e instanceof ShadowRoot?e.host:null);){if(!(e instanceof HTMLElement))continue;let{overflowY:n}=getComputedStyle(e);if(n==="auto"||n==="scroll")return e}return document.documentElement}function ti(t){let e=getComputedStyle(t).getPropertyValue("--st-background-color").trim();t.dataset.scheme=os(e)?"dark":"light"}function os(t){let e=document.createElement("canvas").getContext("2d");if(!e||!t)return!1;e.fillStyle=t,e.fillRect(0,0,1,1);let[n=255,r=255,i=255]=e.getImageData(0,0,1,1).data;return .299*n+.587*r+.114*i<128}function ni(t,e){let{svg:n,size:r}=t,i=n.cloneNode(!0);i.setAttribute("viewBox",`0 0 ${r.width} ${r.height}`),i.setAttribute("width",String(r.width)),i.setAttribute("height",String(r.height)),i.classList.remove("choosing"),i.firstElementChild?.removeAttribute("transform");let o="path, polygon, polyline, ellipse, text, rect",a=n.querySelectorAll(o);i.querySelectorAll(o).forEach((l,u)=>{let h=getComputedStyle(a[u]);for(let p of["stroke-width","stroke-dasharray","opacity","font-family","font-weight","text-decoration"])l.setAttribute(p,h.getPropertyValue(p));for(let p of["fill","stroke"]){let[d,g]=ei(h.getPropertyValue(p));l.setAttribute(p,d),l.setAttribute(`${p}-opacity`,g)}}),i.querySelector(".folds")?.remove();let s=document.createElementNS("http://www.w3.org/2000/svg","rect");return s.setAttribute("width","100%"),s.setAttribute("height","100%"),s.setAttribute("fill",ei(e)[0]),i.prepend(s),new XMLSerializer().serializeToString(i)}function cn(t,e,n){let r=URL.createObjectURL(new Blob([n],{type:e}));k("a",{href:r,download:t}).click(),window.setTimeout(()=>URL.revokeObjectURL(r),1e4)}function ei(t){let e=/^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.e-]+))?\)$/.exec(t);if(e){let[r,i,o]=e.slice(1,4).map(a=>Math.round(Number(a)*255));return[`rgb(${r}, ${i}, ${o})`,e[4]??"1"]}let n=/^rgba\((\d+, \d+, \d+), ([\d.]+)\)$/.exec(t);return n?[`rgb(${n[1]})`,n[2]]:[t,"1"]}var as=new Set(["svg","g","title","desc","defs","path","polygon","polyline","ellipse","circle","rect","line","text","tspan","lineargradient","radialgradient","stop","clippath"]),ss=new Set(["id","class","transform","viewbox","width","height","x","y","dx","dy","x1","y1","x2","y2","cx","cy","r","rx","ry","d","points","fill","fill-opacity","stroke","stroke-width","stroke-opacity","stroke-dasharray","opacity","text-anchor","font-family","font-size","font-weight","font-style","text-decoration","offset","stop-color","stop-opacity","gradientunits","gradienttransform","clip-path"]);function ri(t){let e=new DOMParser().parseFromString(t,"image/svg+xml"),n=e.documentElement;if(e.querySelector("parsererror")||n.nodeName.toLowerCase()!=="svg")throw new Error("The server did not send a drawing. Reload the page.");let r=ii(n);if(!(r instanceof SVGSVGElement))throw new Error("The drawing is empty.");return r}function ii(t){let e=t.localName.toLowerCase(),n=e==="a";if(!n&&!as.has(e))return null;let r=n?document.createElementNS("http://www.w3.org/2000/svg","g"):document.createElementNS("http://www.w3.org/2000/svg",t.localName);for(let{name:i,localName:o,value:a}of[...t.attributes])n&&o==="title"&&r.setAttribute("data-tooltip",a),!(n||!ss.has(i.toLowerCase()))&&(/url\(\s*(?!['"]?#)/i.test(a)||r.setAttribute(i,a));for(let i of[...t.childNodes])if(i.nodeType===Node.TEXT_NODE)r.append(i.textContent??"");else if(i instanceof Element){let o=ii(i);o&&r.append(o)}return r}var Et="http://www.w3.org/2000/svg",mt=11,me=class{svg;content;size;nodes=new Map;edges=[];constructor(e){this.svg=ri(e);let[,,n=1,r=1]=(this.svg.getAttribute("viewBox")??"0 0 1 1").split(/[\s,]+/).map(Number);this.size={width:Math.max(1,n),height:Math.max(1,r)},this.content=document.createElementNS(Et,"g"),this.content.append(...this.svg.childNodes),this.svg.replaceChildren(this.content);for(let o of["width","height","viewBox"])this.svg.removeAttribute(o);for(let o of this.content.querySelectorAll("g.node, g.edge, g.cluster"))this.take(o);let i=this.content.querySelector("g.graph > polygon:first-of-type");(i&&i.getAttribute("stroke")==="transparent"||i?.getAttribute("fill")==="white")&&i?.remove()}take(e){let n=e.querySelector(":scope > title"),r=n?.textContent??"";n?.remove();let i=e.querySelector("[data-tooltip]")?.dataset.tooltip;if(i?.trim()&&i!==r&&e.prepend(oi(i)),e.classList.contains("edge")){let[o="",a=""]=r.split(/->|--/).map(s=>s.replace(/:\w+(:\w+)?$/,""));this.edges.push({group:e,from:o,to:a})}else r&&(e.dataset.node=r,this.nodes.set(r,e))}addFolds(){let e=this.content.querySelector("g.graph")??this.content,n=document.createElementNS(Et,"g");n.setAttribute("class","folds");for(let[r,i]of this.nodes){let o=ve(i);if(o===null)continue;let a=i.getBBox();n.append(us(r,o,a.x+a.width,a.y))}e.append(n)}having(e){let n=[...this.nodes.values()],r=n.filter(i=>ls(i).some(o=>o.toLowerCase().includes(e)));return r.length?r:n.filter(i=>i.querySelector(":scope > title")?.textContent?.toLowerCase().includes(e))}};function ls(t){return[...t.querySelectorAll("text")].map(e=>e.textContent??"")}function ve(t){return t.classList.contains("folded")?!1:t.classList.contains("cluster")||t.classList.contains("handle")?!0:null}function us(t,e,n,r){let i=document.createElementNS(Et,"g");i.setAttribute("class","fold"),i.dataset.fold=t,i.append(oi(e?"Fold (double-click)":"Open (double-click)"));let o=document.createElementNS(Et,"rect"),[a,s]=[n-mt*.75,r-mt*.25];for(let[g,_]of Object.entries({x:a,y:s,width:mt,height:mt,rx:2}))o.setAttribute(g,String(_));let l=document.createElementNS(Et,"path"),[u,h,p]=[a+mt/2,s+mt/2,mt*.28],d=e?"":`M${u},${h-p}v${2*p}`;return l.setAttribute("d",`M${u-p},${h}h${2*p}${d}`),i.append(o,l),i}function oi(t){let e=document.createElementNS(Et,"title");return e.textContent=t,e}var xe=class{constructor(e,n,r){this.show=e;this.seek=n;this.done=r;this.input.addEventListener("input",()=>this.search(!0)),this.input.addEventListener("keydown",i=>this.onKey(i)),this.input.addEventListener("blur",()=>{this.input.value||this.close()}),this.box.append(D("Find a node (/)",at("search"),()=>this.open()),this.input,this.counter),this.close()}show;seek;done;box=k("span",{class:"find"});input=k("input",{type:"search",placeholder:"Find a node","aria-label":"Find a node",spellcheck:"false"});counter=k("span",{class:"counter","aria-live":"polite"});drawing=null;found=[];at=0;open(){this.box.classList.add("open"),this.input.hidden=this.counter.hidden=!1,this.input.focus(),this.input.select()}on(e){this.drawing=e,this.input.value&&this.search(!1)}close(){this.box.classList.remove("open"),this.input.hidden=this.counter.hidden=!0,this.input.value="",this.search(!1)}search(e){for(let i of this.found)i.classList.remove("match","at");let n=this.input.value.trim().toLowerCase(),{drawing:r}=this;this.found=r&&n?r.having(n):[];for(let i of this.found)i.classList.add("match");this.at=0,this.counter.textContent=n?this.found.length?"":"none here":"",this.found.length&&this.go(0,e)}go(e,n=!0){this.found[this.at]?.classList.remove("at"),this.at=(this.at+e+this.found.length)%this.found.length;let r=this.found[this.at];r.classList.add("at"),this.counter.textContent=`${sn.format(this.at+1)} / ${sn.format(this.found.length)}`,n&&this.show(r)}onKey(e){if(e.stopPropagation(),e.key==="Escape")this.close(),this.done();else if(e.key==="Enter"){let n=this.input.value.trim();this.found.length?this.go(e.shiftKey?-1:1):n&&this.seek(n)}}};var cs={widen:["Widen","Show twice as many nodes"],whole:["Show all anyway","Draw the whole graph, which may take some seconds"],start:["Start again","What was shown at first: nothing folded or opened by hand"]},ye=class{constructor(e){this.post=e;this.box.append(this.said,this.about,this.legend)}post;box=k("div",{class:"below"});said=k("div",{class:"said"});about=k("div",{class:"about","aria-live":"polite"});legend=k("div",{class:"key"});note(e,n){let r=n.flatMap(i=>{let[o,a]=cs[i]??[];return o?[D(a,o,()=>this.post("ask",{ask:i}))]:[]});this.said.replaceChildren(...e?[k("span",{title:e},e)]:[],...r),this.said.hidden=!e&&!r.length}details(e){if(this.about.hidden=e===null,e===null)return;let n=(r,i,o)=>D(o,i,()=>this.post("action",{node:e.node,action:r}));this.about.replaceChildren(k("div",{},k("strong",{title:e.title},e.title),k("span",{class:"facts"},e.facts.join(" \xB7 ")),k("span",{class:"gap"}),e.follow?n("follow","Follow","Follow it through all passes"):null,e.find?n("find","Find in all passes","Look for its name in all passes"):null),...e.text?[k("code",{title:e.text},e.text)]:[])}key(e){this.legend.replaceChildren(...e.map(([n,r,i])=>k("span",{},k("i",{class:i?"line":"box",style:`--of:${fs(r)}`}),n))),this.legend.hidden=!e.length}},hs=new Set(["GM","UB","L1","L0A","L0B","L0C","REG","added","removed","changed"]);function fs(t){return hs.has(t)?`var(--${t})`:/^[-\w#%.,()\s]+$/.test(t)?t:"currentColor"}var ps=150,ai=4,we=16,be=48,ds=1.25,si=.8,Ht=1.35,_e=class{constructor(e,n,r){this.root=e;this.base=n;this.outbox=r;e.classList.add("graph"),this.footer=new ye((i,o)=>this.ask(i,o)),this.find=new xe(i=>this.visible(i)||this.centre(i,Math.max(si,this.transform().k)),i=>this.ask("seek",{text:i}),()=>this.canvas.focus()),this.marks=D("Mark what changed",at("difference"),()=>this.ask("ask",{ask:"marks"})),this.keep=D("Save the Graphviz source (.dot)","DOT",()=>{this.keepSource()}),this.tools.append(this.find.box,this.marks,D("Zoom in (+)",at("add"),()=>this.scale(Ht)),D("Zoom out (\u2212)",at("remove"),()=>this.scale(1/Ht)),D("Fit (0)",at("fit_screen"),()=>this.fit()),D("Actual size (1)","1:1",()=>this.actual()),D("Download as SVG","SVG",()=>this.download()),this.keep),e.replaceChildren(this.canvas,this.tools,this.footer.box),this.behaviour=an().filter(i=>!i.button&&(!i.ctrlKey||i.type==="wheel")).clickDistance(ai).on("start",({sourceEvent:i})=>{i?.type==="mousedown"&&this.canvas.classList.add("dragging")}).on("zoom",i=>{i.sourceEvent&&(this.fitted=!1),this.drawing?.content.setAttribute("transform",i.transform.toString())}).on("end",()=>this.canvas.classList.remove("dragging")),L(this.canvas).call(this.behaviour).on("dblclick.zoom",null),this.canvas.addEventListener("pointerdown",({clientX:i,clientY:o})=>{this.pressed={x:i,y:o}}),this.canvas.addEventListener("click",i=>this.onClick(i)),this.canvas.addEventListener("dblclick",i=>this.onDoubleClick(i)),this.canvas.addEventListener("keydown",i=>this.onKey(i)),this.frame=new ge(e,()=>this.onResize())}root;base;outbox;frame;canvas=k("div",{class:"canvas",tabindex:"0",role:"group","aria-label":"Graph"});footer;find;tools=k("div",{class:"tools",role:"toolbar","aria-label":"Graph"});marks;keep;behaviour;data;shown="";loading=0;drawing=null;selection="";anchor=null;fitted=!0;pressed=null;update({data:e}){this.data=e,ti(this.root),this.frame.set(e.height),this.footer.key(e.legend),this.footer.note(e.note??"",e.asks??[]),this.footer.details(e.details??null),this.marks.hidden=e.marks==null,this.marks.setAttribute("aria-pressed",String(e.marks??!1)),this.keep.hidden=!e.source;let n=e.url??e.svg??e.waiting??"";n!==this.shown?(this.shown=n,this.load()):this.select()}close(){this.loading+=1,this.frame.close()}load(){let e=++this.loading,{url:n,svg:r,waiting:i}=this.data;if(i){this.message(k("div",{class:"wait"},i)),fetch(new URL(n,this.base),{cache:"no-store"}).then(()=>e===this.loading&&this.outbox.post("ask",{ask:"made"}),s=>e===this.loading&&this.failed(s));return}let o=window.setTimeout(()=>{e===this.loading&&!this.drawing&&this.message(k("div",{class:"wait"},"Drawing\u2026"))},ps);(n!==null?un(new URL(n,this.base).href):Promise.resolve(r??"")).then(s=>{e===this.loading&&this.draw(new me(s))}).catch(s=>{e===this.loading&&this.failed(s)}).finally(()=>window.clearTimeout(o))}failed(e){console.error(e);let n=D("Fetch it again","Try again",()=>this.load());n.classList.add("retry");let r=e instanceof Error?e.message:String(e);this.message(k("div",{class:"problem",role:"alert"},at("error"),k("p",{},r),n))}message(e){this.drawing=null,this.canvas.replaceChildren(e)}draw(e){let n=this.drawing===null,{anchor:r}=this;this.drawing=e,this.canvas.replaceChildren(e.svg),e.addFolds(),this.find.on(e),e.content.setAttribute("transform",this.transform().toString());let i=r&&e.nodes.get(r.node);i?this.hold(i,r):(n||this.fitted)&&this.open(),this.anchor=null,this.selection="",this.select(),this.root.dataset.painted=this.data.url??"svg"}hold(e,{x:n,y:r}){let i=e.getBoundingClientRect(),o=this.transform();this.fitted=!1,this.to(o.k,o.x+n-(i.left+i.width/2),o.y+r-i.top),this.visible(e)||this.centre(e)}ask(e,n,r=this.data.selected[0]??null){let o=(r===null?null:this.drawing?.nodes.get(r))?.getBoundingClientRect();this.anchor=o&&e!=="seek"?{node:r,x:o.left+o.width/2,y:o.top}:null,this.outbox.post(e,n)}select(){let e=JSON.stringify(this.data.selected);if(e===this.selection)return;this.selection=e;let n=new Set(this.data.selected),{nodes:r,edges:i,svg:o}=this.drawing??{};if(!r||!i||!o)return;for(let[s,l]of r)l.classList.toggle("chosen",n.has(s));for(let{group:s,from:l,to:u}of i)s.classList.toggle("chosen",n.has(l)||n.has(u));o.classList.toggle("choosing",n.size>0);let a=this.data.selected.map(s=>r.get(s)).filter(s=>s!==void 0);a.length&&!a.some(s=>this.visible(s))&&this.centre(a[0])}onClick(e){let{pressed:n}=this;if(n&&Math.hypot(e.clientX-n.x,e.clientY-n.y)>ai||e.detail>1)return;let r=e.target.closest("g.fold")?.dataset.fold;if(r!==void 0){this.fold(r);return}let i=this.nodeAt(e);i===null&&!this.data.selected.length||this.choose(i)}fold(e){let n=this.drawing?.nodes.get(e),r=n?ve(n):null;r!==null&&this.ask("fold",{node:e,folded:r},e)}nodeAt(e){return e.target.closest("g.node, g.cluster")?.dataset.node??null}choose(e){if(e!==null&&this.drawing?.nodes.get(e)?.classList.contains("stub")){let r=this.drawing.edges.find(({from:i,to:o})=>i===e||o===e);this.ask("node",{node:e},r?r.from===e?r.to:r.from:null);return}this.data={...this.data,selected:e===null?[]:[e]},this.data.details?.node!==e&&this.footer.details(null),this.select(),this.outbox.post("node",{node:e})}onDoubleClick(e){let n=this.nodeAt(e),r=n===null?null:this.drawing?.nodes.get(n);e.target.closest("g.fold")||(r&&ve(r)!==null?this.fold(n):r?this.centre(r,Math.max(1,this.transform().k)):this.scale(Ht))}transform(){return this.canvas.__zoom??ot}get size(){return this.drawing?.size??{width:1,height:1}}get fitting(){let{clientWidth:e,clientHeight:n}=this.canvas;return Math.min(ds,Math.max(1,e-2*we)/this.size.width,Math.max(1,n-be-we)/this.size.height)}to(e,n,r){L(this.canvas).call(this.behaviour.transform,ot.translate(n,r).scale(e))}fit(){let e=this.fitting;this.behaviour.scaleExtent([Math.min(e,1)/4,Math.max(4,e*4)]);let{clientWidth:n,clientHeight:r}=this.canvas;this.to(e,(n-this.size.width*e)/2,be+Math.max(0,r-be-we-this.size.height*e)/2),this.fitted=!0}open(){this.fit();let e=si;if(this.fitting>=e)return;let n=[...this.drawing?.nodes.values()??[]],r=n.find(l=>l.matches(".node:is(.added, .removed, .changed)"))??n[0],i=this.canvas.getBoundingClientRect(),o=r?.getBoundingClientRect(),a=o?(o.left+o.width/2-i.left-this.transform().x)/this.transform().k:this.size.width/2,s=this.size.width*e<=i.width-2*we;this.to(e,i.width/2-(s?this.size.width/2:a)*e,be),r&&!this.visible(r)&&this.centre(r),this.fitted=!0}actual(){let{k:e}=this.transform();this.scale(1/e)}scale(e){this.fitted=!1,L(this.canvas).call(this.behaviour.scaleBy,e)}move(e,n){this.fitted=!1;let{k:r}=this.transform();L(this.canvas).call(this.behaviour.translateBy,e/r,n/r)}visible(e){let n=this.canvas.getBoundingClientRect(),r=e.getBoundingClientRect(),i=(r.left+r.right)/2,o=(r.top+r.bottom)/2;return i>n.left&&i<n.right&&o>n.top&&o<n.bottom}centre(e,n=this.transform().k){let r=this.canvas.getBoundingClientRect(),i=e.getBoundingClientRect(),o=this.transform(),a={x:(i.left-r.left-o.x)/o.k,y:(i.top-r.top-o.y)/o.k,width:i.width/o.k,height:i.height/o.k};this.fitted=!1,this.to(n,r.width/2-(a.x+a.width/2)*n,r.height/2-(a.y+a.height/2)*n)}onResize(){this.drawing&&this.fitted&&this.open()}onKey(e){if(e.ctrlKey||e.metaKey||e.altKey)return;let n=60;switch(e.key){case"+":case"=":this.scale(Ht);break;case"-":this.scale(1/Ht);break;case"0":this.fit();break;case"1":this.actual();break;case"ArrowLeft":this.move(n,0);break;case"ArrowRight":this.move(-n,0);break;case"ArrowUp":this.move(0,n);break;case"ArrowDown":this.move(0,-n);break;case"/":this.find.open();break;case"Enter":for(let r of this.data.selected)this.fold(r);break;case"Escape":this.data.selected.length&&this.choose(null);break;default:return}e.preventDefault(),e.stopPropagation()}download(){if(!this.drawing)return;let e=getComputedStyle(this.root).backgroundColor;cn(`${this.data.name}.svg`,"image/svg+xml",ni(this.drawing,e))}async keepSource(){let{source:e,name:n}=this.data;e&&cn(`${n}.dot`,"text/vnd.graphviz",await un(new URL(e,this.base).href))}};var sh=hn((t,e,n)=>{let r=document.createElement("style");return r.textContent=fn+pn,t.before(r),new _e(t,e,n)});export{sh as mount};
