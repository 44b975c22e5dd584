var qe=Date.now(),Ci=8,Ee=class{constructor(e){this.send=e}send;events=[];through(e){this.send=e}post(e,n){qe=Math.max(qe+1,Date.now()),this.events=[...this.events,{id:qe,kind:e,...n}].slice(-Ci),this.send(this.events)}};function hn(t){let e=new Map;return(n,r)=>{let i=n.parentElement.querySelector(".tilescope-root");if(!i)throw new Error("The component's element is missing.");let o=a=>n.setStateValue("events",a),s=e.get(i);if(s)s.outbox.through(o);else{let a=new Ee(o);s={viewer:t(i,r,a),outbox:a},e.set(i,s)}return s.viewer.update(n),()=>{e.get(i)?.viewer.close(),e.delete(i)}}}var fn=`/* What both viewers have in common. Colours follow Streamlit's theme through its --st-* variables;
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
  width: 18px;
  height: 18px;
  flex: none;
  display: inline-block;
  vertical-align: middle;
}

.icon svg {
  width: 100%;
  height: 100%;
  display: block;
  fill: currentColor;
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
`;var Pt="http://www.w3.org/1999/xhtml",Me={svg:"http://www.w3.org/2000/svg",xhtml:Pt,xlink:"http://www.w3.org/1999/xlink",xml:"http://www.w3.org/XML/1998/namespace",xmlns:"http://www.w3.org/2000/xmlns/"};function nt(t){var e=t+="",n=e.indexOf(":");return n>=0&&(e=t.slice(0,n))!=="xmlns"&&(t=t.slice(n+1)),Me.hasOwnProperty(e)?{space:Me[e],local:t}:t}function Hi(t){return function(){var e=this.ownerDocument,n=this.namespaceURI;return n===Pt&&e.documentElement.namespaceURI===Pt?e.createElement(t):e.createElementNS(n,t)}}function Ri(t){return function(){return this.ownerDocument.createElementNS(t.space,t.local)}}function Qt(t){var e=nt(t);return(e.local?Ri:Hi)(e)}function Bi(){}function lt(t){return t==null?Bi:function(){return this.querySelector(t)}}function dn(t){typeof t!="function"&&(t=lt(t));for(var e=this._groups,n=e.length,r=new Array(n),i=0;i<n;++i)for(var o=e[i],s=o.length,a=r[i]=new Array(s),l,u,h=0;h<s;++h)(l=o[h])&&(u=t.call(l,l.__data__,h,o))&&("__data__"in l&&(u.__data__=l.__data__),a[h]=u);return new M(r,this._parents)}function Se(t){return t==null?[]:Array.isArray(t)?t:Array.from(t)}function Di(){return[]}function Et(t){return t==null?Di:function(){return this.querySelectorAll(t)}}function Oi(t){return function(){return Se(t.apply(this,arguments))}}function gn(t){typeof t=="function"?t=Oi(t):t=Et(t);for(var e=this._groups,n=e.length,r=[],i=[],o=0;o<n;++o)for(var s=e[o],a=s.length,l,u=0;u<a;++u)(l=s[u])&&(r.push(t.call(l,l.__data__,u,s)),i.push(l));return new M(r,i)}function Mt(t){return function(){return this.matches(t)}}function Ft(t){return function(e){return e.matches(t)}}var $i=Array.prototype.find;function Zi(t){return function(){return $i.call(this.children,t)}}function Gi(){return this.firstElementChild}function mn(t){return this.select(t==null?Gi:Zi(typeof t=="function"?t:Ft(t)))}var Vi=Array.prototype.filter;function Pi(){return Array.from(this.children)}function Qi(t){return function(){return Vi.call(this.children,t)}}function vn(t){return this.selectAll(t==null?Pi:Qi(typeof t=="function"?t:Ft(t)))}function wn(t){typeof t!="function"&&(t=Mt(t));for(var e=this._groups,n=e.length,r=new Array(n),i=0;i<n;++i)for(var o=e[i],s=o.length,a=r[i]=[],l,u=0;u<s;++u)(l=o[u])&&t.call(l,l.__data__,u,o)&&a.push(l);return new M(r,this._parents)}function Xt(t){return new Array(t.length)}function xn(){return new M(this._enter||this._groups.map(Xt),this._parents)}function St(t,e){this.ownerDocument=t.ownerDocument,this.namespaceURI=t.namespaceURI,this._next=null,this._parent=t,this.__data__=e}St.prototype={constructor:St,appendChild:function(t){return this._parent.insertBefore(t,this._next)},insertBefore:function(t,e){return this._parent.insertBefore(t,e)},querySelector:function(t){return this._parent.querySelector(t)},querySelectorAll:function(t){return this._parent.querySelectorAll(t)}};function yn(t){return function(){return t}}function Fi(t,e,n,r,i,o){for(var s=0,a,l=e.length,u=o.length;s<u;++s)(a=e[s])?(a.__data__=o[s],r[s]=a):n[s]=new St(t,o[s]);for(;s<l;++s)(a=e[s])&&(i[s]=a)}function Xi(t,e,n,r,i,o,s){var a,l,u=new Map,h=e.length,p=o.length,d=new Array(h),g;for(a=0;a<h;++a)(l=e[a])&&(d[a]=g=s.call(l,l.__data__,a,e)+"",u.has(g)?i[a]=l:u.set(g,l));for(a=0;a<p;++a)g=s.call(t,o[a],a,o)+"",(l=u.get(g))?(r[a]=l,l.__data__=o[a],u.delete(g)):n[a]=new St(t,o[a]);for(a=0;a<h;++a)(l=e[a])&&u.get(d[a])===l&&(i[a]=l)}function Yi(t){return t.__data__}function bn(t,e){if(!arguments.length)return Array.from(this,Yi);var n=e?Xi:Fi,r=this._parents,i=this._groups;typeof t!="function"&&(t=yn(t));for(var o=i.length,s=new Array(o),a=new Array(o),l=new Array(o),u=0;u<o;++u){var h=r[u],p=i[u],d=p.length,g=Ui(t.call(h,h&&h.__data__,u,r)),_=g.length,E=a[u]=new Array(_),L=s[u]=new Array(_),w=l[u]=new Array(d);n(h,p,E,L,w,g,e);for(var C=0,z=0,V,R;C<_;++C)if(V=E[C]){for(C>=z&&(z=C+1);!(R=L[z])&&++z<_;);V._next=R||null}}return s=new M(s,r),s._enter=a,s._exit=l,s}function Ui(t){return typeof t=="object"&&"length"in t?t:Array.from(t)}function _n(){return new M(this._exit||this._groups.map(Xt),this._parents)}function kn(t,e,n){var r=this.enter(),i=this,o=this.exit();return typeof t=="function"?(r=t(r),r&&(r=r.selection())):r=r.append(t+""),e!=null&&(i=e(i),i&&(i=i.selection())),n==null?o.remove():n(o),r&&i?r.merge(i).order():i}function qn(t){for(var e=t.selection?t.selection():t,n=this._groups,r=e._groups,i=n.length,o=r.length,s=Math.min(i,o),a=new Array(i),l=0;l<s;++l)for(var u=n[l],h=r[l],p=u.length,d=a[l]=new Array(p),g,_=0;_<p;++_)(g=u[_]||h[_])&&(d[_]=g);for(;l<i;++l)a[l]=n[l];return new M(a,this._parents)}function En(){for(var t=this._groups,e=-1,n=t.length;++e<n;)for(var r=t[e],i=r.length-1,o=r[i],s;--i>=0;)(s=r[i])&&(o&&s.compareDocumentPosition(o)^4&&o.parentNode.insertBefore(s,o),o=s);return this}function Mn(t){t||(t=Ki);function e(p,d){return p&&d?t(p.__data__,d.__data__):!p-!d}for(var n=this._groups,r=n.length,i=new Array(r),o=0;o<r;++o){for(var s=n[o],a=s.length,l=i[o]=new Array(a),u,h=0;h<a;++h)(u=s[h])&&(l[h]=u);l.sort(e)}return new M(i,this._parents).order()}function Ki(t,e){return t<e?-1:t>e?1:t>=e?0:NaN}function Sn(){var t=arguments[0];return arguments[0]=this,t.apply(null,arguments),this}function Tn(){return Array.from(this)}function An(){for(var t=this._groups,e=0,n=t.length;e<n;++e)for(var r=t[e],i=0,o=r.length;i<o;++i){var s=r[i];if(s)return s}return null}function Ln(){let t=0;for(let e of this)++t;return t}function Nn(){return!this.node()}function Cn(t){for(var e=this._groups,n=0,r=e.length;n<r;++n)for(var i=e[n],o=0,s=i.length,a;o<s;++o)(a=i[o])&&t.call(a,a.__data__,o,i);return this}function Wi(t){return function(){this.removeAttribute(t)}}function Ji(t){return function(){this.removeAttributeNS(t.space,t.local)}}function ji(t,e){return function(){this.setAttribute(t,e)}}function to(t,e){return function(){this.setAttributeNS(t.space,t.local,e)}}function eo(t,e){return function(){var n=e.apply(this,arguments);n==null?this.removeAttribute(t):this.setAttribute(t,n)}}function no(t,e){return function(){var n=e.apply(this,arguments);n==null?this.removeAttributeNS(t.space,t.local):this.setAttributeNS(t.space,t.local,n)}}function zn(t,e){var n=nt(t);if(arguments.length<2){var r=this.node();return n.local?r.getAttributeNS(n.space,n.local):r.getAttribute(n)}return this.each((e==null?n.local?Ji:Wi:typeof e=="function"?n.local?no:eo:n.local?to:ji)(n,e))}function Yt(t){return t.ownerDocument&&t.ownerDocument.defaultView||t.document&&t||t.defaultView}function ro(t){return function(){this.style.removeProperty(t)}}function io(t,e,n){return function(){this.style.setProperty(t,e,n)}}function oo(t,e,n){return function(){var r=e.apply(this,arguments);r==null?this.style.removeProperty(t):this.style.setProperty(t,r,n)}}function In(t,e,n){return arguments.length>1?this.each((e==null?ro:typeof e=="function"?oo:io)(t,e,n??"")):rt(this.node(),t)}function rt(t,e){return t.style.getPropertyValue(e)||Yt(t).getComputedStyle(t,null).getPropertyValue(e)}function so(t){return function(){delete this[t]}}function ao(t,e){return function(){this[t]=e}}function lo(t,e){return function(){var n=e.apply(this,arguments);n==null?delete this[t]:this[t]=n}}function Hn(t,e){return arguments.length>1?this.each((e==null?so:typeof e=="function"?lo:ao)(t,e)):this.node()[t]}function Rn(t){return t.trim().split(/^|\s+/)}function Te(t){return t.classList||new Bn(t)}function Bn(t){this._node=t,this._names=Rn(t.getAttribute("class")||"")}Bn.prototype={add:function(t){var e=this._names.indexOf(t);e<0&&(this._names.push(t),this._node.setAttribute("class",this._names.join(" ")))},remove:function(t){var e=this._names.indexOf(t);e>=0&&(this._names.splice(e,1),this._node.setAttribute("class",this._names.join(" ")))},contains:function(t){return this._names.indexOf(t)>=0}};function Dn(t,e){for(var n=Te(t),r=-1,i=e.length;++r<i;)n.add(e[r])}function On(t,e){for(var n=Te(t),r=-1,i=e.length;++r<i;)n.remove(e[r])}function uo(t){return function(){Dn(this,t)}}function co(t){return function(){On(this,t)}}function ho(t,e){return function(){(e.apply(this,arguments)?Dn:On)(this,t)}}function $n(t,e){var n=Rn(t+"");if(arguments.length<2){for(var r=Te(this.node()),i=-1,o=n.length;++i<o;)if(!r.contains(n[i]))return!1;return!0}return this.each((typeof e=="function"?ho:e?uo:co)(n,e))}function fo(){this.textContent=""}function po(t){return function(){this.textContent=t}}function go(t){return function(){var e=t.apply(this,arguments);this.textContent=e??""}}function Zn(t){return arguments.length?this.each(t==null?fo:(typeof t=="function"?go:po)(t)):this.node().textContent}function mo(){this.innerHTML=""}function vo(t){return function(){this.innerHTML=t}}function wo(t){return function(){var e=t.apply(this,arguments);this.innerHTML=e??""}}function Gn(t){return arguments.length?this.each(t==null?mo:(typeof t=="function"?wo:vo)(t)):this.node().innerHTML}function xo(){this.nextSibling&&this.parentNode.appendChild(this)}function Vn(){return this.each(xo)}function yo(){this.previousSibling&&this.parentNode.insertBefore(this,this.parentNode.firstChild)}function Pn(){return this.each(yo)}function Qn(t){var e=typeof t=="function"?t:Qt(t);return this.select(function(){return this.appendChild(e.apply(this,arguments))})}function bo(){return null}function Fn(t,e){var n=typeof t=="function"?t:Qt(t),r=e==null?bo:typeof e=="function"?e:lt(e);return this.select(function(){return this.insertBefore(n.apply(this,arguments),r.apply(this,arguments)||null)})}function _o(){var t=this.parentNode;t&&t.removeChild(this)}function Xn(){return this.each(_o)}function ko(){var t=this.cloneNode(!1),e=this.parentNode;return e?e.insertBefore(t,this.nextSibling):t}function qo(){var t=this.cloneNode(!0),e=this.parentNode;return e?e.insertBefore(t,this.nextSibling):t}function Yn(t){return this.select(t?qo:ko)}function Un(t){return arguments.length?this.property("__data__",t):this.node().__data__}function Eo(t){return function(e){t.call(this,e,this.__data__)}}function Mo(t){return t.trim().split(/^|\s+/).map(function(e){var n="",r=e.indexOf(".");return r>=0&&(n=e.slice(r+1),e=e.slice(0,r)),{type:e,name:n}})}function So(t){return function(){var e=this.__on;if(e){for(var n=0,r=-1,i=e.length,o;n<i;++n)o=e[n],(!t.type||o.type===t.type)&&o.name===t.name?this.removeEventListener(o.type,o.listener,o.options):e[++r]=o;++r?e.length=r:delete this.__on}}}function To(t,e,n){return function(){var r=this.__on,i,o=Eo(e);if(r){for(var s=0,a=r.length;s<a;++s)if((i=r[s]).type===t.type&&i.name===t.name){this.removeEventListener(i.type,i.listener,i.options),this.addEventListener(i.type,i.listener=o,i.options=n),i.value=e;return}}this.addEventListener(t.type,o,n),i={type:t.type,name:t.name,value:e,listener:o,options:n},r?r.push(i):this.__on=[i]}}function Kn(t,e,n){var r=Mo(t+""),i,o=r.length,s;if(arguments.length<2){var a=this.node().__on;if(a){for(var l=0,u=a.length,h;l<u;++l)for(i=0,h=a[l];i<o;++i)if((s=r[i]).type===h.type&&s.name===h.name)return h.value}return}for(a=e?To:So,i=0;i<o;++i)this.each(a(r[i],e,n));return this}function Wn(t,e,n){var r=Yt(t),i=r.CustomEvent;typeof i=="function"?i=new i(e,n):(i=r.document.createEvent("Event"),n?(i.initEvent(e,n.bubbles,n.cancelable),i.detail=n.detail):i.initEvent(e,!1,!1)),t.dispatchEvent(i)}function Ao(t,e){return function(){return Wn(this,t,e)}}function Lo(t,e){return function(){return Wn(this,t,e.apply(this,arguments))}}function Jn(t,e){return this.each((typeof e=="function"?Lo:Ao)(t,e))}function*jn(){for(var t=this._groups,e=0,n=t.length;e<n;++e)for(var r=t[e],i=0,o=r.length,s;i<o;++i)(s=r[i])&&(yield s)}var Ae=[null];function M(t,e){this._groups=t,this._parents=e}function tr(){return new M([[document.documentElement]],Ae)}function No(){return this}M.prototype=tr.prototype={constructor:M,select:dn,selectAll:gn,selectChild:mn,selectChildren:vn,filter:wn,data:bn,enter:xn,exit:_n,join:kn,merge:qn,selection:No,order:En,sort:Mn,call:Sn,nodes:Tn,node:An,size:Ln,empty:Nn,each:Cn,attr:zn,style:In,property:Hn,classed:$n,text:Zn,html:Gn,raise:Vn,lower:Pn,append:Qn,insert:Fn,remove:Xn,clone:Yn,datum:Un,on:Kn,dispatch:Jn,[Symbol.iterator]:jn};var ut=tr;function N(t){return typeof t=="string"?new M([[document.querySelector(t)]],[document.documentElement]):new M([[t]],Ae)}function er(t){let e;for(;e=t.sourceEvent;)t=e;return t}function Q(t,e){if(t=er(t),e===void 0&&(e=t.currentTarget),e){var n=e.ownerSVGElement||e;if(n.createSVGPoint){var r=n.createSVGPoint();return r.x=t.clientX,r.y=t.clientY,r=r.matrixTransform(e.getScreenCTM().inverse()),[r.x,r.y]}if(e.getBoundingClientRect){var i=e.getBoundingClientRect();return[t.clientX-i.left-e.clientLeft,t.clientY-i.top-e.clientTop]}}return[t.pageX,t.pageY]}var Co={value:()=>{}};function Tt(){for(var t=0,e=arguments.length,n={},r;t<e;++t){if(!(r=arguments[t]+"")||r in n||/[\s.]/.test(r))throw new Error("illegal type: "+r);n[r]=[]}return new Ut(n)}function Ut(t){this._=t}function zo(t,e){return t.trim().split(/^|\s+/).map(function(n){var r="",i=n.indexOf(".");if(i>=0&&(r=n.slice(i+1),n=n.slice(0,i)),n&&!e.hasOwnProperty(n))throw new Error("unknown type: "+n);return{type:n,name:r}})}Ut.prototype=Tt.prototype={constructor:Ut,on:function(t,e){var n=this._,r=zo(t+"",n),i,o=-1,s=r.length;if(arguments.length<2){for(;++o<s;)if((i=(t=r[o]).type)&&(i=Io(n[i],t.name)))return i;return}if(e!=null&&typeof e!="function")throw new Error("invalid callback: "+e);for(;++o<s;)if(i=(t=r[o]).type)n[i]=nr(n[i],t.name,e);else if(e==null)for(i in n)n[i]=nr(n[i],t.name,null);return this},copy:function(){var t={},e=this._;for(var n in e)t[n]=e[n].slice();return new Ut(t)},call:function(t,e){if((i=arguments.length-2)>0)for(var n=new Array(i),r=0,i,o;r<i;++r)n[r]=arguments[r+2];if(!this._.hasOwnProperty(t))throw new Error("unknown type: "+t);for(o=this._[t],r=0,i=o.length;r<i;++r)o[r].value.apply(e,n)},apply:function(t,e,n){if(!this._.hasOwnProperty(t))throw new Error("unknown type: "+t);for(var r=this._[t],i=0,o=r.length;i<o;++i)r[i].value.apply(e,n)}};function Io(t,e){for(var n=0,r=t.length,i;n<r;++n)if((i=t[n]).name===e)return i.value}function nr(t,e,n){for(var r=0,i=t.length;r<i;++r)if(t[r].name===e){t[r]=Co,t=t.slice(0,r).concat(t.slice(r+1));break}return n!=null&&t.push({name:e,value:n}),t}var Le={capture:!0,passive:!1};function Ne(t){t.preventDefault(),t.stopImmediatePropagation()}function rr(t){var e=t.document.documentElement,n=N(t).on("dragstart.drag",Ne,Le);"onselectstart"in e?n.on("selectstart.drag",Ne,Le):(e.__noselect=e.style.MozUserSelect,e.style.MozUserSelect="none")}function ir(t,e){var n=t.document.documentElement,r=N(t).on("dragstart.drag",null);e&&(r.on("click.drag",Ne,Le),setTimeout(function(){r.on("click.drag",null)},0)),"onselectstart"in n?r.on("selectstart.drag",null):(n.style.MozUserSelect=n.__noselect,delete n.__noselect)}function Ho(t,{sourceEvent:e,subject:n,target:r,identifier:i,active:o,x:s,y:a,dx:l,dy:u,dispatch:h}){Object.defineProperties(this,{type:{value:t,enumerable:!0,configurable:!0},sourceEvent:{value:e,enumerable:!0,configurable:!0},subject:{value:n,enumerable:!0,configurable:!0},target:{value:r,enumerable:!0,configurable:!0},identifier:{value:i,enumerable:!0,configurable:!0},active:{value:o,enumerable:!0,configurable:!0},x:{value:s,enumerable:!0,configurable:!0},y:{value:a,enumerable:!0,configurable:!0},dx:{value:l,enumerable:!0,configurable:!0},dy:{value:u,enumerable:!0,configurable:!0},_:{value:h}})}Ho.prototype.on=function(){var t=this._.on.apply(this._,arguments);return t===this._?this:t};function yt(t,e,n){t.prototype=e.prototype=n,n.constructor=t}function Nt(t,e){var n=Object.create(t.prototype);for(var r in e)n[r]=e[r];return n}function it(){}var pt=.7,xt=1/pt,vt="\\s*([+-]?\\d+)\\s*",At="\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)\\s*",F="\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)%\\s*",Ro=/^#([0-9a-f]{3,8})$/,Bo=new RegExp(`^rgb\\(${vt},${vt},${vt}\\)$`),Do=new RegExp(`^rgb\\(${F},${F},${F}\\)$`),Oo=new RegExp(`^rgba\\(${vt},${vt},${vt},${At}\\)$`),$o=new RegExp(`^rgba\\(${F},${F},${F},${At}\\)$`),Zo=new RegExp(`^hsl\\(${At},${F},${F}\\)$`),Go=new RegExp(`^hsla\\(${At},${F},${F},${At}\\)$`),or={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074};yt(it,dt,{copy(t){return Object.assign(new this.constructor,this,t)},displayable(){return this.rgb().displayable()},hex:sr,formatHex:sr,formatHex8:Vo,formatHsl:Po,formatRgb:ar,toString:ar});function sr(){return this.rgb().formatHex()}function Vo(){return this.rgb().formatHex8()}function Po(){return mr(this).formatHsl()}function ar(){return this.rgb().formatRgb()}function dt(t){var e,n;return t=(t+"").trim().toLowerCase(),(e=Ro.exec(t))?(n=e[1].length,e=parseInt(e[1],16),n===6?lr(e):n===3?new T(e>>8&15|e>>4&240,e>>4&15|e&240,(e&15)<<4|e&15,1):n===8?Kt(e>>24&255,e>>16&255,e>>8&255,(e&255)/255):n===4?Kt(e>>12&15|e>>8&240,e>>8&15|e>>4&240,e>>4&15|e&240,((e&15)<<4|e&15)/255):null):(e=Bo.exec(t))?new T(e[1],e[2],e[3],1):(e=Do.exec(t))?new T(e[1]*255/100,e[2]*255/100,e[3]*255/100,1):(e=Oo.exec(t))?Kt(e[1],e[2],e[3],e[4]):(e=$o.exec(t))?Kt(e[1]*255/100,e[2]*255/100,e[3]*255/100,e[4]):(e=Zo.exec(t))?hr(e[1],e[2]/100,e[3]/100,1):(e=Go.exec(t))?hr(e[1],e[2]/100,e[3]/100,e[4]):or.hasOwnProperty(t)?lr(or[t]):t==="transparent"?new T(NaN,NaN,NaN,0):null}function lr(t){return new T(t>>16&255,t>>8&255,t&255,1)}function Kt(t,e,n,r){return r<=0&&(t=e=n=NaN),new T(t,e,n,r)}function Be(t){return t instanceof it||(t=dt(t)),t?(t=t.rgb(),new T(t.r,t.g,t.b,t.opacity)):new T}function Ct(t,e,n,r){return arguments.length===1?Be(t):new T(t,e,n,r??1)}function T(t,e,n,r){this.r=+t,this.g=+e,this.b=+n,this.opacity=+r}yt(T,Ct,Nt(it,{brighter(t){return t=t==null?xt:Math.pow(xt,t),new T(this.r*t,this.g*t,this.b*t,this.opacity)},darker(t){return t=t==null?pt:Math.pow(pt,t),new T(this.r*t,this.g*t,this.b*t,this.opacity)},rgb(){return this},clamp(){return new T(ht(this.r),ht(this.g),ht(this.b),Jt(this.opacity))},displayable(){return-.5<=this.r&&this.r<255.5&&-.5<=this.g&&this.g<255.5&&-.5<=this.b&&this.b<255.5&&0<=this.opacity&&this.opacity<=1},hex:ur,formatHex:ur,formatHex8:Qo,formatRgb:cr,toString:cr}));function ur(){return`#${ct(this.r)}${ct(this.g)}${ct(this.b)}`}function Qo(){return`#${ct(this.r)}${ct(this.g)}${ct(this.b)}${ct((isNaN(this.opacity)?1:this.opacity)*255)}`}function cr(){let t=Jt(this.opacity);return`${t===1?"rgb(":"rgba("}${ht(this.r)}, ${ht(this.g)}, ${ht(this.b)}${t===1?")":`, ${t})`}`}function Jt(t){return isNaN(t)?1:Math.max(0,Math.min(1,t))}function ht(t){return Math.max(0,Math.min(255,Math.round(t)||0))}function ct(t){return t=ht(t),(t<16?"0":"")+t.toString(16)}function hr(t,e,n,r){return r<=0?t=e=n=NaN:n<=0||n>=1?t=e=NaN:e<=0&&(t=NaN),new $(t,e,n,r)}function mr(t){if(t instanceof $)return new $(t.h,t.s,t.l,t.opacity);if(t instanceof it||(t=dt(t)),!t)return new $;if(t instanceof $)return t;t=t.rgb();var e=t.r/255,n=t.g/255,r=t.b/255,i=Math.min(e,n,r),o=Math.max(e,n,r),s=NaN,a=o-i,l=(o+i)/2;return a?(e===o?s=(n-r)/a+(n<r)*6:n===o?s=(r-e)/a+2:s=(e-n)/a+4,a/=l<.5?o+i:2-o-i,s*=60):a=l>0&&l<1?0:s,new $(s,a,l,t.opacity)}function te(t,e,n,r){return arguments.length===1?mr(t):new $(t,e,n,r??1)}function $(t,e,n,r){this.h=+t,this.s=+e,this.l=+n,this.opacity=+r}yt($,te,Nt(it,{brighter(t){return t=t==null?xt:Math.pow(xt,t),new $(this.h,this.s,this.l*t,this.opacity)},darker(t){return t=t==null?pt:Math.pow(pt,t),new $(this.h,this.s,this.l*t,this.opacity)},rgb(){var t=this.h%360+(this.h<0)*360,e=isNaN(t)||isNaN(this.s)?0:this.s,n=this.l,r=n+(n<.5?n:1-n)*e,i=2*n-r;return new T(Ce(t>=240?t-240:t+120,i,r),Ce(t,i,r),Ce(t<120?t+240:t-120,i,r),this.opacity)},clamp(){return new $(fr(this.h),Wt(this.s),Wt(this.l),Jt(this.opacity))},displayable(){return(0<=this.s&&this.s<=1||isNaN(this.s))&&0<=this.l&&this.l<=1&&0<=this.opacity&&this.opacity<=1},formatHsl(){let t=Jt(this.opacity);return`${t===1?"hsl(":"hsla("}${fr(this.h)}, ${Wt(this.s)*100}%, ${Wt(this.l)*100}%${t===1?")":`, ${t})`}`}}));function fr(t){return t=(t||0)%360,t<0?t+360:t}function Wt(t){return Math.max(0,Math.min(1,t||0))}function Ce(t,e,n){return(t<60?e+(n-e)*t/60:t<180?n:t<240?e+(n-e)*(240-t)/60:e)*255}var vr=Math.PI/180,wr=180/Math.PI,jt=18,xr=.96422,yr=1,br=.82521,_r=4/29,wt=6/29,kr=3*wt*wt,Fo=wt*wt*wt;function qr(t){if(t instanceof X)return new X(t.l,t.a,t.b,t.opacity);if(t instanceof W)return Mr(t);t instanceof T||(t=Be(t));var e=Re(t.r),n=Re(t.g),r=Re(t.b),i=ze((.2225045*e+.7168786*n+.0606169*r)/yr),o,s;return e===n&&n===r?o=s=i:(o=ze((.4360747*e+.3850649*n+.1430804*r)/xr),s=ze((.0139322*e+.0971045*n+.7141733*r)/br)),new X(116*i-16,500*(o-i),200*(i-s),t.opacity)}function Er(t,e,n,r){return arguments.length===1?qr(t):new X(t,e,n,r??1)}function X(t,e,n,r){this.l=+t,this.a=+e,this.b=+n,this.opacity=+r}yt(X,Er,Nt(it,{brighter(t){return new X(this.l+jt*(t??1),this.a,this.b,this.opacity)},darker(t){return new X(this.l-jt*(t??1),this.a,this.b,this.opacity)},rgb(){var t=(this.l+16)/116,e=isNaN(this.a)?t:t+this.a/500,n=isNaN(this.b)?t:t-this.b/200;return e=xr*Ie(e),t=yr*Ie(t),n=br*Ie(n),new T(He(3.1338561*e-1.6168667*t-.4906146*n),He(-.9787684*e+1.9161415*t+.033454*n),He(.0719453*e-.2289914*t+1.4052427*n),this.opacity)}}));function ze(t){return t>Fo?Math.pow(t,1/3):t/kr+_r}function Ie(t){return t>wt?t*t*t:kr*(t-_r)}function He(t){return 255*(t<=.0031308?12.92*t:1.055*Math.pow(t,1/2.4)-.055)}function Re(t){return(t/=255)<=.04045?t/12.92:Math.pow((t+.055)/1.055,2.4)}function Xo(t){if(t instanceof W)return new W(t.h,t.c,t.l,t.opacity);if(t instanceof X||(t=qr(t)),t.a===0&&t.b===0)return new W(NaN,0<t.l&&t.l<100?0:NaN,t.l,t.opacity);var e=Math.atan2(t.b,t.a)*wr;return new W(e<0?e+360:e,Math.sqrt(t.a*t.a+t.b*t.b),t.l,t.opacity)}function ee(t,e,n,r){return arguments.length===1?Xo(t):new W(t,e,n,r??1)}function W(t,e,n,r){this.h=+t,this.c=+e,this.l=+n,this.opacity=+r}function Mr(t){if(isNaN(t.h))return new X(t.l,0,0,t.opacity);var e=t.h*vr;return new X(t.l,Math.cos(e)*t.c,Math.sin(e)*t.c,t.opacity)}yt(W,ee,Nt(it,{brighter(t){return new W(this.h,this.c,this.l+jt*(t??1),this.opacity)},darker(t){return new W(this.h,this.c,this.l-jt*(t??1),this.opacity)},rgb(){return Mr(this).rgb()}}));var Sr=-.14861,De=1.78277,Oe=-.29227,ne=-.90649,Lt=1.97294,pr=Lt*ne,dr=Lt*De,gr=De*Oe-ne*Sr;function Yo(t){if(t instanceof ft)return new ft(t.h,t.s,t.l,t.opacity);t instanceof T||(t=Be(t));var e=t.r/255,n=t.g/255,r=t.b/255,i=(gr*r+pr*e-dr*n)/(gr+pr-dr),o=r-i,s=(Lt*(n-i)-Oe*o)/ne,a=Math.sqrt(s*s+o*o)/(Lt*i*(1-i)),l=a?Math.atan2(s,o)*wr-120:NaN;return new ft(l<0?l+360:l,a,i,t.opacity)}function re(t,e,n,r){return arguments.length===1?Yo(t):new ft(t,e,n,r??1)}function ft(t,e,n,r){this.h=+t,this.s=+e,this.l=+n,this.opacity=+r}yt(ft,re,Nt(it,{brighter(t){return t=t==null?xt:Math.pow(xt,t),new ft(this.h,this.s,this.l*t,this.opacity)},darker(t){return t=t==null?pt:Math.pow(pt,t),new ft(this.h,this.s,this.l*t,this.opacity)},rgb(){var t=isNaN(this.h)?0:(this.h+120)*vr,e=+this.l,n=isNaN(this.s)?0:this.s*e*(1-e),r=Math.cos(t),i=Math.sin(t);return new T(255*(e+n*(Sr*r+De*i)),255*(e+n*(Oe*r+ne*i)),255*(e+n*(Lt*r)),this.opacity)}}));function Lr(t,e,n,r,i){var o=t*t,s=o*t;return((1-3*t+3*o-s)*e+(4-6*o+3*s)*n+(1+3*t+3*o-3*s)*r+s*i)/6}function Uo(t){var e=t.length-1;return function(n){var r=n<=0?n=0:n>=1?(n=1,e-1):Math.floor(n*e),i=t[r],o=t[r+1],s=r>0?t[r-1]:2*i-o,a=r<e-1?t[r+2]:2*o-i;return Lr((n-r/e)*e,s,i,o,a)}}function Ko(t){var e=t.length;return function(n){var r=Math.floor(((n%=1)<0?++n:n)*e),i=t[(r+e-1)%e],o=t[r%e],s=t[(r+1)%e],a=t[(r+2)%e];return Lr((n-r/e)*e,i,o,s,a)}}var Ve=t=>()=>t;function Nr(t,e){return function(n){return t+n*e}}function Wo(t,e,n){return t=Math.pow(t,n),e=Math.pow(e,n)-t,n=1/n,function(r){return Math.pow(t+r*e,n)}}function Pe(t,e){var n=e-t;return n?Nr(t,n>180||n<-180?n-360*Math.round(n/360):n):Ve(isNaN(t)?e:t)}function Jo(t){return(t=+t)==1?I:function(e,n){return n-e?Wo(e,n,t):Ve(isNaN(e)?n:e)}}function I(t,e){var n=e-t;return n?Nr(t,n):Ve(isNaN(t)?e:t)}var Qe=(function t(e){var n=Jo(e);function r(i,o){var s=n((i=Ct(i)).r,(o=Ct(o)).r),a=n(i.g,o.g),l=n(i.b,o.b),u=I(i.opacity,o.opacity);return function(h){return i.r=s(h),i.g=a(h),i.b=l(h),i.opacity=u(h),i+""}}return r.gamma=t,r})(1);function Cr(t){return function(e){var n=e.length,r=new Array(n),i=new Array(n),o=new Array(n),s,a;for(s=0;s<n;++s)a=Ct(e[s]),r[s]=a.r||0,i[s]=a.g||0,o[s]=a.b||0;return r=t(r),i=t(i),o=t(o),a.opacity=1,function(l){return a.r=r(l),a.g=i(l),a.b=o(l),a+""}}}var kc=Cr(Uo),qc=Cr(Ko);function J(t,e){return t=+t,e=+e,function(n){return t*(1-n)+e*n}}var Ze=/[-+]?(?:\d+\.?\d*|\.?\d+)(?:[eE][-+]?\d+)?/g,$e=new RegExp(Ze.source,"g");function jo(t){return function(){return t}}function ts(t){return function(e){return t(e)+""}}function zr(t,e){var n=Ze.lastIndex=$e.lastIndex=0,r,i,o,s=-1,a=[],l=[];for(t=t+"",e=e+"";(r=Ze.exec(t))&&(i=$e.exec(e));)(o=i.index)>n&&(o=e.slice(n,o),a[s]?a[s]+=o:a[++s]=o),(r=r[0])===(i=i[0])?a[s]?a[s]+=i:a[++s]=i:(a[++s]=null,l.push({i:s,x:J(r,i)})),n=$e.lastIndex;return n<e.length&&(o=e.slice(n),a[s]?a[s]+=o:a[++s]=o),a.length<2?l[0]?ts(l[0].x):jo(e):(e=l.length,function(u){for(var h=0,p;h<e;++h)a[(p=l[h]).i]=p.x(u);return a.join("")})}var Tr=180/Math.PI,Ge={translateX:0,translateY:0,rotate:0,skewX:0,scaleX:1,scaleY:1};function Ir(t,e,n,r,i,o){var s,a,l;return(s=Math.sqrt(t*t+e*e))&&(t/=s,e/=s),(l=t*n+e*r)&&(n-=t*l,r-=e*l),(a=Math.sqrt(n*n+r*r))&&(n/=a,r/=a,l/=a),t*r<e*n&&(t=-t,e=-e,l=-l,s=-s),{translateX:i,translateY:o,rotate:Math.atan2(e,t)*Tr,skewX:Math.atan(l)*Tr,scaleX:s,scaleY:a}}var ie;function es(t){let e=new(typeof DOMMatrix=="function"?DOMMatrix:WebKitCSSMatrix)(t+"");return e.isIdentity?Ge:Ir(e.a,e.b,e.c,e.d,e.e,e.f)}function ns(t){return t==null||(ie||(ie=document.createElementNS("http://www.w3.org/2000/svg","g")),ie.setAttribute("transform",t),!(t=ie.transform.baseVal.consolidate()))?Ge:(t=t.matrix,Ir(t.a,t.b,t.c,t.d,t.e,t.f))}function Hr(t,e,n,r){function i(u){return u.length?u.pop()+" ":""}function o(u,h,p,d,g,_){if(u!==p||h!==d){var E=g.push("translate(",null,e,null,n);_.push({i:E-4,x:J(u,p)},{i:E-2,x:J(h,d)})}else(p||d)&&g.push("translate("+p+e+d+n)}function s(u,h,p,d){u!==h?(u-h>180?h+=360:h-u>180&&(u+=360),d.push({i:p.push(i(p)+"rotate(",null,r)-2,x:J(u,h)})):h&&p.push(i(p)+"rotate("+h+r)}function a(u,h,p,d){u!==h?d.push({i:p.push(i(p)+"skewX(",null,r)-2,x:J(u,h)}):h&&p.push(i(p)+"skewX("+h+r)}function l(u,h,p,d,g,_){if(u!==p||h!==d){var E=g.push(i(g)+"scale(",null,",",null,")");_.push({i:E-4,x:J(u,p)},{i:E-2,x:J(h,d)})}else(p!==1||d!==1)&&g.push(i(g)+"scale("+p+","+d+")")}return function(u,h){var p=[],d=[];return u=t(u),h=t(h),o(u.translateX,u.translateY,h.translateX,h.translateY,p,d),s(u.rotate,h.rotate,p,d),a(u.skewX,h.skewX,p,d),l(u.scaleX,u.scaleY,h.scaleX,h.scaleY,p,d),u=h=null,function(g){for(var _=-1,E=d.length,L;++_<E;)p[(L=d[_]).i]=L.x(g);return p.join("")}}}var Rr=Hr(es,"px, ","px)","deg)"),Br=Hr(ns,", ",")",")"),rs=1e-12;function Ar(t){return((t=Math.exp(t))+1/t)/2}function is(t){return((t=Math.exp(t))-1/t)/2}function os(t){return((t=Math.exp(2*t))-1)/(t+1)}var Dr=(function t(e,n,r){function i(o,s){var a=o[0],l=o[1],u=o[2],h=s[0],p=s[1],d=s[2],g=h-a,_=p-l,E=g*g+_*_,L,w;if(E<rs)w=Math.log(d/u)/e,L=function(et){return[a+et*g,l+et*_,u*Math.exp(e*et*w)]};else{var C=Math.sqrt(E),z=(d*d-u*u+r*E)/(2*u*n*C),V=(d*d-u*u-r*E)/(2*d*n*C),R=Math.log(Math.sqrt(z*z+1)-z),B=Math.log(Math.sqrt(V*V+1)-V);w=(B-R)/e,L=function(et){var Zt=et*w,Gt=Ar(R),Vt=u/(n*C)*(Gt*os(e*Zt+R)-is(R));return[a+Vt*g,l+Vt*_,u*Gt/Ar(e*Zt+R)]}}return L.duration=Math.abs(w)*1e3*e/Math.SQRT2,L}return i.rho=function(o){var s=Math.max(.001,+o),a=s*s,l=a*a;return t(s,a,l)},i})(Math.SQRT2,2,4);function Or(t){return function(e,n){var r=t((e=te(e)).h,(n=te(n)).h),i=I(e.s,n.s),o=I(e.l,n.l),s=I(e.opacity,n.opacity);return function(a){return e.h=r(a),e.s=i(a),e.l=o(a),e.opacity=s(a),e+""}}}var Ec=Or(Pe),Mc=Or(I);function $r(t){return function(e,n){var r=t((e=ee(e)).h,(n=ee(n)).h),i=I(e.c,n.c),o=I(e.l,n.l),s=I(e.opacity,n.opacity);return function(a){return e.h=r(a),e.c=i(a),e.l=o(a),e.opacity=s(a),e+""}}}var Sc=$r(Pe),Tc=$r(I);function Zr(t){return(function e(n){n=+n;function r(i,o){var s=t((i=re(i)).h,(o=re(o)).h),a=I(i.s,o.s),l=I(i.l,o.l),u=I(i.opacity,o.opacity);return function(h){return i.h=s(h),i.s=a(h),i.l=l(Math.pow(h,n)),i.opacity=u(h),i+""}}return r.gamma=e,r})(1)}var Ac=Zr(Pe),Lc=Zr(I);var bt=0,It=0,zt=0,Vr=1e3,oe,Ht,se=0,gt=0,le=0,Rt=typeof performance=="object"&&performance.now?performance:Date,Pr=typeof window=="object"&&window.requestAnimationFrame?window.requestAnimationFrame.bind(window):function(t){setTimeout(t,17)};function ue(){return gt||(Pr(ss),gt=Rt.now()+le)}function ss(){gt=0}function ae(){this._call=this._time=this._next=null}ae.prototype=Xe.prototype={constructor:ae,restart:function(t,e,n){if(typeof t!="function")throw new TypeError("callback is not a function");n=(n==null?ue():+n)+(e==null?0:+e),!this._next&&Ht!==this&&(Ht?Ht._next=this:oe=this,Ht=this),this._call=t,this._time=n,Fe()},stop:function(){this._call&&(this._call=null,this._time=1/0,Fe())}};function Xe(t,e,n){var r=new ae;return r.restart(t,e,n),r}function as(){ue(),++bt;for(var t=oe,e;t;)(e=gt-t._time)>=0&&t._call.call(void 0,e),t=t._next;--bt}function Gr(){gt=(se=Rt.now())+le,bt=It=0;try{as()}finally{bt=0,us(),gt=0}}function ls(){var t=Rt.now(),e=t-se;e>Vr&&(le-=e,se=t)}function us(){for(var t,e=oe,n,r=1/0;e;)e._call?(r>e._time&&(r=e._time),t=e,e=e._next):(n=e._next,e._next=null,e=t?t._next=n:oe=n);Ht=t,Fe(r)}function Fe(t){if(!bt){It&&(It=clearTimeout(It));var e=t-gt;e>24?(t<1/0&&(It=setTimeout(Gr,Math.ceil(t-Rt.now()-le)+1)),zt&&(zt=clearInterval(zt))):(zt||(se=Rt.now(),zt=setInterval(ls,Vr)),bt=1,Pr(Gr))}}function Ye(t,e,n){var r=new ae;return e=e==null?0:+e,r.restart(i=>{r.stop(),t(i+e)},e,n),r}function Fr(t){return((t*=2)<=1?t*t*t:(t-=2)*t*t+2)/2}var Ue=3,zc=(function t(e){e=+e;function n(r){return Math.pow(r,e)}return n.exponent=t,n})(Ue),Ic=(function t(e){e=+e;function n(r){return 1-Math.pow(1-r,e)}return n.exponent=t,n})(Ue),Hc=(function t(e){e=+e;function n(r){return((r*=2)<=1?Math.pow(r,e):2-Math.pow(2-r,e))/2}return n.exponent=t,n})(Ue),cs=Math.PI,Rc=cs/2;function ce(t){return(Math.pow(2,-10*t)-.0009765625)*1.0009775171065494}var Qr=4/11,Bc=6/11,Dc=8/11,Oc=3/4,$c=9/11,Zc=10/11,Gc=15/16,Vc=21/22,Pc=63/64,Qc=1/Qr/Qr;var Ke=1.70158,Fc=(function t(e){e=+e;function n(r){return(r=+r)*r*(e*(r-1)+r)}return n.overshoot=t,n})(Ke),Xc=(function t(e){e=+e;function n(r){return--r*r*((r+1)*e+r)+1}return n.overshoot=t,n})(Ke),Yc=(function t(e){e=+e;function n(r){return((r*=2)<1?r*r*((e+1)*r-e):(r-=2)*r*((e+1)*r+e)+2)/2}return n.overshoot=t,n})(Ke),_t=2*Math.PI,We=1,Je=.3,Uc=(function t(e,n){var r=Math.asin(1/(e=Math.max(1,e)))*(n/=_t);function i(o){return e*ce(- --o)*Math.sin((r-o)/n)}return i.amplitude=function(o){return t(o,n*_t)},i.period=function(o){return t(e,o)},i})(We,Je),Kc=(function t(e,n){var r=Math.asin(1/(e=Math.max(1,e)))*(n/=_t);function i(o){return 1-e*ce(o=+o)*Math.sin((o+r)/n)}return i.amplitude=function(o){return t(o,n*_t)},i.period=function(o){return t(e,o)},i})(We,Je),Wc=(function t(e,n){var r=Math.asin(1/(e=Math.max(1,e)))*(n/=_t);function i(o){return((o=o*2-1)<0?e*ce(-o)*Math.sin((r-o)/n):2-e*ce(o)*Math.sin((r+o)/n))/2}return i.amplitude=function(o){return t(o,n*_t)},i.period=function(o){return t(e,o)},i})(We,Je);var hs=Tt("start","end","cancel","interrupt"),fs=[],Ur=0,Xr=1,je=2,he=3,Yr=4,tn=5,fe=6;function pe(t,e,n,r,i,o){var s=t.__transition;if(!s)t.__transition={};else if(n in s)return;ps(t,n,{name:e,index:r,group:i,on:hs,tween:fs,time:o.time,delay:o.delay,duration:o.duration,ease:o.ease,timer:null,state:Ur})}function en(t,e){var n=Z(t,e);if(n.state>Ur)throw new Error("too late; already scheduled");return n}function Y(t,e){var n=Z(t,e);if(n.state>he)throw new Error("too late; already running");return n}function Z(t,e){var n=t.__transition;if(!n||!(n=n[e]))throw new Error("transition not found");return n}function ps(t,e,n){var r=t.__transition,i;r[e]=n,n.timer=Xe(o,0,n.time);function o(u){n.state=Xr,n.timer.restart(s,n.delay,n.time),n.delay<=u&&s(u-n.delay)}function s(u){var h,p,d,g;if(n.state!==Xr)return l();for(h in r)if(g=r[h],g.name===n.name){if(g.state===he)return Ye(s);g.state===Yr?(g.state=fe,g.timer.stop(),g.on.call("interrupt",t,t.__data__,g.index,g.group),delete r[h]):+h<e&&(g.state=fe,g.timer.stop(),g.on.call("cancel",t,t.__data__,g.index,g.group),delete r[h])}if(Ye(function(){n.state===he&&(n.state=Yr,n.timer.restart(a,n.delay,n.time),a(u))}),n.state=je,n.on.call("start",t,t.__data__,n.index,n.group),n.state===je){for(n.state=he,i=new Array(d=n.tween.length),h=0,p=-1;h<d;++h)(g=n.tween[h].value.call(t,t.__data__,n.index,n.group))&&(i[++p]=g);i.length=p+1}}function a(u){for(var h=u<n.duration?n.ease.call(null,u/n.duration):(n.timer.restart(l),n.state=tn,1),p=-1,d=i.length;++p<d;)i[p].call(t,h);n.state===tn&&(n.on.call("end",t,t.__data__,n.index,n.group),l())}function l(){n.state=fe,n.timer.stop(),delete r[e];for(var u in r)return;delete t.__transition}}function Bt(t,e){var n=t.__transition,r,i,o=!0,s;if(n){e=e==null?null:e+"";for(s in n){if((r=n[s]).name!==e){o=!1;continue}i=r.state>je&&r.state<tn,r.state=fe,r.timer.stop(),r.on.call(i?"interrupt":"cancel",t,t.__data__,r.index,r.group),delete n[s]}o&&delete t.__transition}}function ds(t){return this.each(function(){Bt(this,t)})}function gs(t,e){var n,r;return function(){var i=Y(this,t),o=i.tween;if(o!==n){r=n=o;for(var s=0,a=r.length;s<a;++s)if(r[s].name===e){r=r.slice(),r.splice(s,1);break}}i.tween=r}}function ms(t,e,n){var r,i;if(typeof n!="function")throw new Error;return function(){var o=Y(this,t),s=o.tween;if(s!==r){i=(r=s).slice();for(var a={name:e,value:n},l=0,u=i.length;l<u;++l)if(i[l].name===e){i[l]=a;break}l===u&&i.push(a)}o.tween=i}}function vs(t,e){var n=this._id;if(t+="",arguments.length<2){for(var r=Z(this.node(),n).tween,i=0,o=r.length,s;i<o;++i)if((s=r[i]).name===t)return s.value;return null}return this.each((e==null?gs:ms)(n,t,e))}function nn(t,e,n){var r=t._id;return t.each(function(){var i=Y(this,r);(i.value||(i.value={}))[e]=n.apply(this,arguments)}),function(i){return Z(i,r).value[e]}}function Kr(t,e){var n;return(typeof e=="number"?J:e instanceof dt?Qe:(n=dt(e))?(e=n,Qe):zr)(t,e)}function ws(t){return function(){this.removeAttribute(t)}}function xs(t){return function(){this.removeAttributeNS(t.space,t.local)}}function ys(t,e,n){var r,i=n+"",o;return function(){var s=this.getAttribute(t);return s===i?null:s===r?o:o=e(r=s,n)}}function bs(t,e,n){var r,i=n+"",o;return function(){var s=this.getAttributeNS(t.space,t.local);return s===i?null:s===r?o:o=e(r=s,n)}}function _s(t,e,n){var r,i,o;return function(){var s,a=n(this),l;return a==null?void this.removeAttribute(t):(s=this.getAttribute(t),l=a+"",s===l?null:s===r&&l===i?o:(i=l,o=e(r=s,a)))}}function ks(t,e,n){var r,i,o;return function(){var s,a=n(this),l;return a==null?void this.removeAttributeNS(t.space,t.local):(s=this.getAttributeNS(t.space,t.local),l=a+"",s===l?null:s===r&&l===i?o:(i=l,o=e(r=s,a)))}}function qs(t,e){var n=nt(t),r=n==="transform"?Br:Kr;return this.attrTween(t,typeof e=="function"?(n.local?ks:_s)(n,r,nn(this,"attr."+t,e)):e==null?(n.local?xs:ws)(n):(n.local?bs:ys)(n,r,e))}function Es(t,e){return function(n){this.setAttribute(t,e.call(this,n))}}function Ms(t,e){return function(n){this.setAttributeNS(t.space,t.local,e.call(this,n))}}function Ss(t,e){var n,r;function i(){var o=e.apply(this,arguments);return o!==r&&(n=(r=o)&&Ms(t,o)),n}return i._value=e,i}function Ts(t,e){var n,r;function i(){var o=e.apply(this,arguments);return o!==r&&(n=(r=o)&&Es(t,o)),n}return i._value=e,i}function As(t,e){var n="attr."+t;if(arguments.length<2)return(n=this.tween(n))&&n._value;if(e==null)return this.tween(n,null);if(typeof e!="function")throw new Error;var r=nt(t);return this.tween(n,(r.local?Ss:Ts)(r,e))}function Ls(t,e){return function(){en(this,t).delay=+e.apply(this,arguments)}}function Ns(t,e){return e=+e,function(){en(this,t).delay=e}}function Cs(t){var e=this._id;return arguments.length?this.each((typeof t=="function"?Ls:Ns)(e,t)):Z(this.node(),e).delay}function zs(t,e){return function(){Y(this,t).duration=+e.apply(this,arguments)}}function Is(t,e){return e=+e,function(){Y(this,t).duration=e}}function Hs(t){var e=this._id;return arguments.length?this.each((typeof t=="function"?zs:Is)(e,t)):Z(this.node(),e).duration}function Rs(t,e){if(typeof e!="function")throw new Error;return function(){Y(this,t).ease=e}}function Bs(t){var e=this._id;return arguments.length?this.each(Rs(e,t)):Z(this.node(),e).ease}function Ds(t,e){return function(){var n=e.apply(this,arguments);if(typeof n!="function")throw new Error;Y(this,t).ease=n}}function Os(t){if(typeof t!="function")throw new Error;return this.each(Ds(this._id,t))}function $s(t){typeof t!="function"&&(t=Mt(t));for(var e=this._groups,n=e.length,r=new Array(n),i=0;i<n;++i)for(var o=e[i],s=o.length,a=r[i]=[],l,u=0;u<s;++u)(l=o[u])&&t.call(l,l.__data__,u,o)&&a.push(l);return new tt(r,this._parents,this._name,this._id)}function Zs(t){if(t._id!==this._id)throw new Error;for(var e=this._groups,n=t._groups,r=e.length,i=n.length,o=Math.min(r,i),s=new Array(r),a=0;a<o;++a)for(var l=e[a],u=n[a],h=l.length,p=s[a]=new Array(h),d,g=0;g<h;++g)(d=l[g]||u[g])&&(p[g]=d);for(;a<r;++a)s[a]=e[a];return new tt(s,this._parents,this._name,this._id)}function Gs(t){return(t+"").trim().split(/^|\s+/).every(function(e){var n=e.indexOf(".");return n>=0&&(e=e.slice(0,n)),!e||e==="start"})}function Vs(t,e,n){var r,i,o=Gs(e)?en:Y;return function(){var s=o(this,t),a=s.on;a!==r&&(i=(r=a).copy()).on(e,n),s.on=i}}function Ps(t,e){var n=this._id;return arguments.length<2?Z(this.node(),n).on.on(t):this.each(Vs(n,t,e))}function Qs(t){return function(){var e=this.parentNode;for(var n in this.__transition)if(+n!==t)return;e&&e.removeChild(this)}}function Fs(){return this.on("end.remove",Qs(this._id))}function Xs(t){var e=this._name,n=this._id;typeof t!="function"&&(t=lt(t));for(var r=this._groups,i=r.length,o=new Array(i),s=0;s<i;++s)for(var a=r[s],l=a.length,u=o[s]=new Array(l),h,p,d=0;d<l;++d)(h=a[d])&&(p=t.call(h,h.__data__,d,a))&&("__data__"in h&&(p.__data__=h.__data__),u[d]=p,pe(u[d],e,n,d,u,Z(h,n)));return new tt(o,this._parents,e,n)}function Ys(t){var e=this._name,n=this._id;typeof t!="function"&&(t=Et(t));for(var r=this._groups,i=r.length,o=[],s=[],a=0;a<i;++a)for(var l=r[a],u=l.length,h,p=0;p<u;++p)if(h=l[p]){for(var d=t.call(h,h.__data__,p,l),g,_=Z(h,n),E=0,L=d.length;E<L;++E)(g=d[E])&&pe(g,e,n,E,d,_);o.push(d),s.push(h)}return new tt(o,s,e,n)}var Us=ut.prototype.constructor;function Ks(){return new Us(this._groups,this._parents)}function Ws(t,e){var n,r,i;return function(){var o=rt(this,t),s=(this.style.removeProperty(t),rt(this,t));return o===s?null:o===n&&s===r?i:i=e(n=o,r=s)}}function Wr(t){return function(){this.style.removeProperty(t)}}function Js(t,e,n){var r,i=n+"",o;return function(){var s=rt(this,t);return s===i?null:s===r?o:o=e(r=s,n)}}function js(t,e,n){var r,i,o;return function(){var s=rt(this,t),a=n(this),l=a+"";return a==null&&(l=a=(this.style.removeProperty(t),rt(this,t))),s===l?null:s===r&&l===i?o:(i=l,o=e(r=s,a))}}function ta(t,e){var n,r,i,o="style."+e,s="end."+o,a;return function(){var l=Y(this,t),u=l.on,h=l.value[o]==null?a||(a=Wr(e)):void 0;(u!==n||i!==h)&&(r=(n=u).copy()).on(s,i=h),l.on=r}}function ea(t,e,n){var r=(t+="")=="transform"?Rr:Kr;return e==null?this.styleTween(t,Ws(t,r)).on("end.style."+t,Wr(t)):typeof e=="function"?this.styleTween(t,js(t,r,nn(this,"style."+t,e))).each(ta(this._id,t)):this.styleTween(t,Js(t,r,e),n).on("end.style."+t,null)}function na(t,e,n){return function(r){this.style.setProperty(t,e.call(this,r),n)}}function ra(t,e,n){var r,i;function o(){var s=e.apply(this,arguments);return s!==i&&(r=(i=s)&&na(t,s,n)),r}return o._value=e,o}function ia(t,e,n){var r="style."+(t+="");if(arguments.length<2)return(r=this.tween(r))&&r._value;if(e==null)return this.tween(r,null);if(typeof e!="function")throw new Error;return this.tween(r,ra(t,e,n??""))}function oa(t){return function(){this.textContent=t}}function sa(t){return function(){var e=t(this);this.textContent=e??""}}function aa(t){return this.tween("text",typeof t=="function"?sa(nn(this,"text",t)):oa(t==null?"":t+""))}function la(t){return function(e){this.textContent=t.call(this,e)}}function ua(t){var e,n;function r(){var i=t.apply(this,arguments);return i!==n&&(e=(n=i)&&la(i)),e}return r._value=t,r}function ca(t){var e="text";if(arguments.length<1)return(e=this.tween(e))&&e._value;if(t==null)return this.tween(e,null);if(typeof t!="function")throw new Error;return this.tween(e,ua(t))}function ha(){for(var t=this._name,e=this._id,n=Jr(),r=this._groups,i=r.length,o=0;o<i;++o)for(var s=r[o],a=s.length,l,u=0;u<a;++u)if(l=s[u]){var h=Z(l,e);pe(l,t,n,u,s,{time:h.time+h.delay+h.duration,delay:0,duration:h.duration,ease:h.ease})}return new tt(r,this._parents,t,n)}function fa(){var t,e,n=this,r=n._id,i=n.size();return new Promise(function(o,s){var a={value:s},l={value:function(){--i===0&&o()}};n.each(function(){var u=Y(this,r),h=u.on;h!==t&&(e=(t=h).copy(),e._.cancel.push(a),e._.interrupt.push(a),e._.end.push(l)),u.on=e}),i===0&&o()})}var pa=0;function tt(t,e,n,r){this._groups=t,this._parents=e,this._name=n,this._id=r}function da(t){return ut().transition(t)}function Jr(){return++pa}var j=ut.prototype;tt.prototype=da.prototype={constructor:tt,select:Xs,selectAll:Ys,selectChild:j.selectChild,selectChildren:j.selectChildren,filter:$s,merge:Zs,selection:Ks,transition:ha,call:j.call,nodes:j.nodes,node:j.node,size:j.size,empty:j.empty,each:j.each,on:Ps,attr:qs,attrTween:As,style:ea,styleTween:ia,text:aa,textTween:ca,remove:Fs,tween:vs,delay:Cs,duration:Hs,ease:Bs,easeVarying:Os,end:fa,[Symbol.iterator]:j[Symbol.iterator]};var ga={time:null,delay:0,duration:250,ease:Fr};function ma(t,e){for(var n;!(n=t.__transition)||!(n=n[e]);)if(!(t=t.parentNode))throw new Error(`transition ${e} not found`);return n}function va(t){var e,n;t instanceof tt?(e=t._id,t=t._name):(e=Jr(),(n=ga).time=ue(),t=t==null?null:t+"");for(var r=this._groups,i=r.length,o=0;o<i;++o)for(var s=r[o],a=s.length,l,u=0;u<a;++u)(l=s[u])&&pe(l,t,e,u,s,n||ma(l,e));return new tt(r,this._parents,t,e)}ut.prototype.interrupt=ds;ut.prototype.transition=va;var Dt=t=>()=>t;function rn(t,{sourceEvent:e,target:n,transform:r,dispatch:i}){Object.defineProperties(this,{type:{value:t,enumerable:!0,configurable:!0},sourceEvent:{value:e,enumerable:!0,configurable:!0},target:{value:n,enumerable:!0,configurable:!0},transform:{value:r,enumerable:!0,configurable:!0},_:{value:i}})}function G(t,e,n){this.k=t,this.x=e,this.y=n}G.prototype={constructor:G,scale:function(t){return t===1?this:new G(this.k*t,this.x,this.y)},translate:function(t,e){return t===0&e===0?this:new G(this.k,this.x+this.k*t,this.y+this.k*e)},apply:function(t){return[t[0]*this.k+this.x,t[1]*this.k+this.y]},applyX:function(t){return t*this.k+this.x},applyY:function(t){return t*this.k+this.y},invert:function(t){return[(t[0]-this.x)/this.k,(t[1]-this.y)/this.k]},invertX:function(t){return(t-this.x)/this.k},invertY:function(t){return(t-this.y)/this.k},rescaleX:function(t){return t.copy().domain(t.range().map(this.invertX,this).map(t.invert,t))},rescaleY:function(t){return t.copy().domain(t.range().map(this.invertY,this).map(t.invert,t))},toString:function(){return"translate("+this.x+","+this.y+") scale("+this.k+")"}};var ot=new G(1,0,0);on.prototype=G.prototype;function on(t){for(;!t.__zoom;)if(!(t=t.parentNode))return ot;return t.__zoom}function de(t){t.stopImmediatePropagation()}function kt(t){t.preventDefault(),t.stopImmediatePropagation()}function wa(t){return(!t.ctrlKey||t.type==="wheel")&&!t.button}function xa(){var t=this;return t instanceof SVGElement?(t=t.ownerSVGElement||t,t.hasAttribute("viewBox")?(t=t.viewBox.baseVal,[[t.x,t.y],[t.x+t.width,t.y+t.height]]):[[0,0],[t.width.baseVal.value,t.height.baseVal.value]]):[[0,0],[t.clientWidth,t.clientHeight]]}function jr(){return this.__zoom||ot}function ya(t){return-t.deltaY*(t.deltaMode===1?.05:t.deltaMode?1:.002)*(t.ctrlKey?10:1)}function ba(){return navigator.maxTouchPoints||"ontouchstart"in this}function _a(t,e,n){var r=t.invertX(e[0][0])-n[0][0],i=t.invertX(e[1][0])-n[1][0],o=t.invertY(e[0][1])-n[0][1],s=t.invertY(e[1][1])-n[1][1];return t.translate(i>r?(r+i)/2:Math.min(0,r)||Math.max(0,i),s>o?(o+s)/2:Math.min(0,o)||Math.max(0,s))}function sn(){var t=wa,e=xa,n=_a,r=ya,i=ba,o=[0,1/0],s=[[-1/0,-1/0],[1/0,1/0]],a=250,l=Dr,u=Tt("start","zoom","end"),h,p,d,g=500,_=150,E=0,L=10;function w(c){c.property("__zoom",jr).on("wheel.zoom",Zt,{passive:!1}).on("mousedown.zoom",Gt).on("dblclick.zoom",Vt).filter(i).on("touchstart.zoom",Ai).on("touchmove.zoom",Li).on("touchend.zoom touchcancel.zoom",Ni).style("-webkit-tap-highlight-color","rgba(0,0,0,0)")}w.transform=function(c,m,f,v){var x=c.selection?c.selection():c;x.property("__zoom",jr),c!==x?R(c,m,f,v):x.interrupt().each(function(){B(this,arguments).event(v).start().zoom(null,typeof m=="function"?m.apply(this,arguments):m).end()})},w.scaleBy=function(c,m,f,v){w.scaleTo(c,function(){var x=this.__zoom.k,y=typeof m=="function"?m.apply(this,arguments):m;return x*y},f,v)},w.scaleTo=function(c,m,f,v){w.transform(c,function(){var x=e.apply(this,arguments),y=this.__zoom,b=f==null?V(x):typeof f=="function"?f.apply(this,arguments):f,q=y.invert(b),S=typeof m=="function"?m.apply(this,arguments):m;return n(z(C(y,S),b,q),x,s)},f,v)},w.translateBy=function(c,m,f,v){w.transform(c,function(){return n(this.__zoom.translate(typeof m=="function"?m.apply(this,arguments):m,typeof f=="function"?f.apply(this,arguments):f),e.apply(this,arguments),s)},null,v)},w.translateTo=function(c,m,f,v,x){w.transform(c,function(){var y=e.apply(this,arguments),b=this.__zoom,q=v==null?V(y):typeof v=="function"?v.apply(this,arguments):v;return n(ot.translate(q[0],q[1]).scale(b.k).translate(typeof m=="function"?-m.apply(this,arguments):-m,typeof f=="function"?-f.apply(this,arguments):-f),y,s)},v,x)};function C(c,m){return m=Math.max(o[0],Math.min(o[1],m)),m===c.k?c:new G(m,c.x,c.y)}function z(c,m,f){var v=m[0]-f[0]*c.k,x=m[1]-f[1]*c.k;return v===c.x&&x===c.y?c:new G(c.k,v,x)}function V(c){return[(+c[0][0]+ +c[1][0])/2,(+c[0][1]+ +c[1][1])/2]}function R(c,m,f,v){c.on("start.zoom",function(){B(this,arguments).event(v).start()}).on("interrupt.zoom end.zoom",function(){B(this,arguments).event(v).end()}).tween("zoom",function(){var x=this,y=arguments,b=B(x,y).event(v),q=e.apply(x,y),S=f==null?V(q):typeof f=="function"?f.apply(x,y):f,P=Math.max(q[1][0]-q[0][0],q[1][1]-q[0][1]),A=x.__zoom,D=typeof m=="function"?m.apply(x,y):m,U=l(A.invert(S).concat(P/A.k),D.invert(S).concat(P/D.k));return function(O){if(O===1)O=D;else{var K=U(O),ke=P/K[2];O=new G(ke,S[0]-K[0]*ke,S[1]-K[1]*ke)}b.zoom(null,O)}})}function B(c,m,f){return!f&&c.__zooming||new et(c,m)}function et(c,m){this.that=c,this.args=m,this.active=0,this.sourceEvent=null,this.extent=e.apply(c,m),this.taps=0}et.prototype={event:function(c){return c&&(this.sourceEvent=c),this},start:function(){return++this.active===1&&(this.that.__zooming=this,this.emit("start")),this},zoom:function(c,m){return this.mouse&&c!=="mouse"&&(this.mouse[1]=m.invert(this.mouse[0])),this.touch0&&c!=="touch"&&(this.touch0[1]=m.invert(this.touch0[0])),this.touch1&&c!=="touch"&&(this.touch1[1]=m.invert(this.touch1[0])),this.that.__zoom=m,this.emit("zoom"),this},end:function(){return--this.active===0&&(delete this.that.__zooming,this.emit("end")),this},emit:function(c){var m=N(this.that).datum();u.call(c,this.that,new rn(c,{sourceEvent:this.sourceEvent,target:w,type:c,transform:this.that.__zoom,dispatch:u}),m)}};function Zt(c,...m){if(!t.apply(this,arguments))return;var f=B(this,m).event(c),v=this.__zoom,x=Math.max(o[0],Math.min(o[1],v.k*Math.pow(2,r.apply(this,arguments)))),y=Q(c);if(f.wheel)(f.mouse[0][0]!==y[0]||f.mouse[0][1]!==y[1])&&(f.mouse[1]=v.invert(f.mouse[0]=y)),clearTimeout(f.wheel);else{if(v.k===x)return;f.mouse=[y,v.invert(y)],Bt(this),f.start()}kt(c),f.wheel=setTimeout(b,_),f.zoom("mouse",n(z(C(v,x),f.mouse[0],f.mouse[1]),f.extent,s));function b(){f.wheel=null,f.end()}}function Gt(c,...m){if(d||!t.apply(this,arguments))return;var f=c.currentTarget,v=B(this,m,!0).event(c),x=N(c.view).on("mousemove.zoom",S,!0).on("mouseup.zoom",P,!0),y=Q(c,f),b=c.clientX,q=c.clientY;rr(c.view),de(c),v.mouse=[y,this.__zoom.invert(y)],Bt(this),v.start();function S(A){if(kt(A),!v.moved){var D=A.clientX-b,U=A.clientY-q;v.moved=D*D+U*U>E}v.event(A).zoom("mouse",n(z(v.that.__zoom,v.mouse[0]=Q(A,f),v.mouse[1]),v.extent,s))}function P(A){x.on("mousemove.zoom mouseup.zoom",null),ir(A.view,v.moved),kt(A),v.event(A).end()}}function Vt(c,...m){if(t.apply(this,arguments)){var f=this.__zoom,v=Q(c.changedTouches?c.changedTouches[0]:c,this),x=f.invert(v),y=f.k*(c.shiftKey?.5:2),b=n(z(C(f,y),v,x),e.apply(this,m),s);kt(c),a>0?N(this).transition().duration(a).call(R,b,v,c):N(this).call(w.transform,b,v,c)}}function Ai(c,...m){if(t.apply(this,arguments)){var f=c.touches,v=f.length,x=B(this,m,c.changedTouches.length===v).event(c),y,b,q,S;for(de(c),b=0;b<v;++b)q=f[b],S=Q(q,this),S=[S,this.__zoom.invert(S),q.identifier],x.touch0?!x.touch1&&x.touch0[2]!==S[2]&&(x.touch1=S,x.taps=0):(x.touch0=S,y=!0,x.taps=1+!!h);h&&(h=clearTimeout(h)),y&&(x.taps<2&&(p=S[0],h=setTimeout(function(){h=null},g)),Bt(this),x.start())}}function Li(c,...m){if(this.__zooming){var f=B(this,m).event(c),v=c.changedTouches,x=v.length,y,b,q,S;for(kt(c),y=0;y<x;++y)b=v[y],q=Q(b,this),f.touch0&&f.touch0[2]===b.identifier?f.touch0[0]=q:f.touch1&&f.touch1[2]===b.identifier&&(f.touch1[0]=q);if(b=f.that.__zoom,f.touch1){var P=f.touch0[0],A=f.touch0[1],D=f.touch1[0],U=f.touch1[1],O=(O=D[0]-P[0])*O+(O=D[1]-P[1])*O,K=(K=U[0]-A[0])*K+(K=U[1]-A[1])*K;b=C(b,Math.sqrt(O/K)),q=[(P[0]+D[0])/2,(P[1]+D[1])/2],S=[(A[0]+U[0])/2,(A[1]+U[1])/2]}else if(f.touch0)q=f.touch0[0],S=f.touch0[1];else return;f.zoom("touch",n(z(b,q,S),f.extent,s))}}function Ni(c,...m){if(this.__zooming){var f=B(this,m).event(c),v=c.changedTouches,x=v.length,y,b;for(de(c),d&&clearTimeout(d),d=setTimeout(function(){d=null},g),y=0;y<x;++y)b=v[y],f.touch0&&f.touch0[2]===b.identifier?delete f.touch0:f.touch1&&f.touch1[2]===b.identifier&&delete f.touch1;if(f.touch1&&!f.touch0&&(f.touch0=f.touch1,delete f.touch1),f.touch0)f.touch0[1]=this.__zoom.invert(f.touch0[0]);else if(f.end(),f.taps===2&&(b=Q(b,this),Math.hypot(p[0]-b[0],p[1]-b[1])<L)){var q=N(this).on("dblclick.zoom");q&&q.apply(this,arguments)}}}return w.wheelDelta=function(c){return arguments.length?(r=typeof c=="function"?c:Dt(+c),w):r},w.filter=function(c){return arguments.length?(t=typeof c=="function"?c:Dt(!!c),w):t},w.touchable=function(c){return arguments.length?(i=typeof c=="function"?c:Dt(!!c),w):i},w.extent=function(c){return arguments.length?(e=typeof c=="function"?c:Dt([[+c[0][0],+c[0][1]],[+c[1][0],+c[1][1]]]),w):e},w.scaleExtent=function(c){return arguments.length?(o[0]=+c[0],o[1]=+c[1],w):[o[0],o[1]]},w.translateExtent=function(c){return arguments.length?(s[0][0]=+c[0][0],s[1][0]=+c[1][0],s[0][1]=+c[0][1],s[1][1]=+c[1][1],w):[[s[0][0],s[0][1]],[s[1][0],s[1][1]]]},w.constrain=function(c){return arguments.length?(n=c,w):n},w.duration=function(c){return arguments.length?(a=+c,w):a},w.interpolate=function(c){return arguments.length?(l=c,w):l},w.on=function(){var c=u.on.apply(u,arguments);return c===u?w:c},w.clickDistance=function(c){return arguments.length?(E=(c=+c)*c,w):Math.sqrt(E)},w.tapDistance=function(c){return arguments.length?(L=+c,w):L},w}var ti='<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 -960 960 960"><path d="M450-450H230q-12.75 0-21.37-8.68-8.63-8.67-8.63-21.5 0-12.82 8.63-21.32 8.62-8.5 21.37-8.5h220v-220q0-12.75 8.68-21.38 8.67-8.62 21.5-8.62 12.82 0 21.32 8.62 8.5 8.63 8.5 21.38v220h220q12.75 0 21.38 8.68 8.62 8.67 8.62 21.5 0 12.82-8.62 21.32-8.63 8.5-21.38 8.5H510v220q0 12.75-8.68 21.37-8.67 8.63-21.5 8.63-12.82 0-21.32-8.63-8.5-8.62-8.5-21.37v-220Z"/></svg>';var ei='<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 -960 960 960"><path d="M686-450H190q-13 0-21.5-8.5T160-480q0-13 8.5-21.5T190-510h496L459-737q-9-9-9-21t9-21q9-9 21-9t21 9l278 278q5 5 7 10t2 11q0 6-2 11t-7 10L501-181q-9 9-21 9t-21-9q-9-9-9-21t9-21l227-227Z"/></svg>';var ni='<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 -960 960 960"><path d="m378-332 363-363q9-9 21.5-9t21.5 9q9 9 9 21.5t-9 21.5L399-267q-9 9-21 9t-21-9L175-449q-9-9-8.5-21.5T176-492q9-9 21.5-9t21.5 9l159 160Z"/></svg>';var ri='<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 -960 960 960"><path d="M480-438 270-228q-9 9-21 9t-21-9q-9-9-9-21t9-21l210-210-210-210q-9-9-9-21t9-21q9-9 21-9t21 9l210 210 210-210q9-9 21-9t21 9q9 9 9 21t-9 21L522-480l210 210q9 9 9 21t-9 21q-9 9-21 9t-21-9L480-438Z"/></svg>';var ii='<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 -960 960 960"><path d="M300-200q-24 0-42-18t-18-42v-560q0-24 18-42t42-18h440q24 0 42 18t18 42v560q0 24-18 42t-42 18H300Zm0-60h440v-560H300v560ZM180-80q-24 0-42-18t-18-42v-590q0-12.75 8.68-21.38 8.67-8.62 21.5-8.62 12.82 0 21.32 8.62 8.5 8.63 8.5 21.38v590h470q12.75 0 21.38 8.68 8.62 8.67 8.62 21.5 0 12.82-8.62 21.32Q662.75-80 650-80H180Zm120-180v-560 560Z"/></svg>';var oi='<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 -960 960 960"><path d="M355-120q-12 0-23.5-5T312-138L138-312q-8-8-13-19.5t-5-23.5v-250q0-12 5-23.5t13-19.5l174-174q8-8 19.5-13t23.5-5h250q12 0 23.5 5t19.5 13l174 174q8 8 13 19.5t5 23.5v250q0 12-5 23.5T822-312L648-138q-8 8-19.5 13t-23.5 5H355Zm125-318 102 102q9 9 21 9t21-9q9-9 9-21t-9-21L522-480l102-102q9-9 9-21t-9-21q-9-9-21-9t-21 9L480-522 378-624q-9-9-21-9t-21 9q-9 9-9 21t9 21l102 102-102 102q-9 9-9 21t9 21q9 9 21 9t21-9l102-102Z"/></svg>';var si='<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 -960 960 960"><path d="M490-610v54q0 12.75 8.68 21.37 8.67 8.63 21.5 8.63 12.82 0 21.32-8.63 8.5-8.62 8.5-21.37v-54h54q12.75 0 21.38-8.68 8.62-8.67 8.62-21.5 0-12.82-8.62-21.32-8.63-8.5-21.38-8.5h-54v-54q0-12.75-8.68-21.38-8.67-8.62-21.5-8.62-12.82 0-21.32 8.62-8.5 8.63-8.5 21.38v54h-54q-12.75 0-21.37 8.68-8.63 8.67-8.63 21.5 0 12.82 8.63 21.32 8.62 8.5 21.37 8.5h54Zm-54 240h168q12.75 0 21.38-8.68 8.62-8.67 8.62-21.5 0-12.82-8.62-21.32-8.63-8.5-21.38-8.5H436q-12.75 0-21.37 8.68-8.63 8.67-8.63 21.5 0 12.82 8.63 21.32 8.62 8.5 21.37 8.5ZM260-160q-24 0-42-18t-18-42v-640q0-24 18-42t42-18h323q12.44 0 23.72 5T626-902l196 196q8 8 13 19.28 5 11.28 5 23.72v443q0 24-18 42t-42 18H260Zm0-60h520v-442L578-860H260v640ZM140-40q-24 0-42-18t-18-42v-589q0-12.75 8.68-21.38 8.67-8.62 21.5-8.62 12.82 0 21.32 8.62 8.5 8.63 8.5 21.38v589h468q12.75 0 21.38 8.68 8.62 8.67 8.62 21.5 0 12.82-8.62 21.32Q620.75-40 608-40H140Zm120-180v-640 640Z"/></svg>';var ai='<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 -960 960 960"><path d="M503.5-289.48q9.5-9.48 9.5-23.5t-9.48-23.52q-9.48-9.5-23.5-9.5t-23.52 9.48q-9.5 9.48-9.5 23.5t9.48 23.52q9.48 9.5 23.5 9.5t23.52-9.48Zm1-152.15q8.5-8.62 8.5-21.37v-193q0-12.75-8.68-21.38-8.67-8.62-21.5-8.62-12.82 0-21.32 8.62-8.5 8.63-8.5 21.38v193q0 12.75 8.68 21.37 8.67 8.63 21.5 8.63 12.82 0 21.32-8.63ZM480.27-80q-82.74 0-155.5-31.5Q252-143 197.5-197.5t-86-127.34Q80-397.68 80-480.5t31.5-155.66Q143-709 197.5-763t127.34-85.5Q397.68-880 480.5-880t155.66 31.5Q709-817 763-763t85.5 127Q880-563 880-480.27q0 82.74-31.5 155.5Q817-252 763-197.68q-54 54.31-127 86Q563-80 480.27-80Zm.23-60Q622-140 721-239.5t99-241Q820-622 721.19-721T480-820q-141 0-240.5 98.81T140-480q0 141 99.5 240.5t241 99.5Zm-.5-340Z"/></svg>';var li='<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 -960 960 960"><path d="M820-640v-100H720q-12.75 0-21.37-8.68-8.63-8.67-8.63-21.5 0-12.82 8.63-21.32 8.62-8.5 21.37-8.5h100q24 0 42 18t18 42v100q0 12.75-8.68 21.37-8.67 8.63-21.5 8.63-12.82 0-21.32-8.63-8.5-8.62-8.5-21.37Zm-740 0v-100q0-24 18-42t42-18h100q12.75 0 21.38 8.68 8.62 8.67 8.62 21.5 0 12.82-8.62 21.32-8.63 8.5-21.38 8.5H140v100q0 12.75-8.68 21.37-8.67 8.63-21.5 8.63-12.82 0-21.32-8.63Q80-627.25 80-640Zm740 480H720q-12.75 0-21.37-8.68-8.63-8.67-8.63-21.5 0-12.82 8.63-21.32 8.62-8.5 21.37-8.5h100v-100q0-12.75 8.68-21.38 8.67-8.62 21.5-8.62 12.82 0 21.32 8.62 8.5 8.63 8.5 21.38v100q0 24-18 42t-42 18Zm-680 0q-24 0-42-18t-18-42v-100q0-12.75 8.68-21.38 8.67-8.62 21.5-8.62 12.82 0 21.32 8.62 8.5 8.63 8.5 21.38v100h100q12.75 0 21.38 8.68 8.62 8.67 8.62 21.5 0 12.82-8.62 21.32-8.63 8.5-21.38 8.5H140Zm60-180v-280q0-24.75 17.63-42.38Q235.25-680 260-680h440q24.75 0 42.38 17.62Q760-644.75 760-620v280q0 24.75-17.62 42.37Q724.75-280 700-280H260q-24.75 0-42.37-17.63Q200-315.25 200-340Zm60 0h440v-280H260v280Zm0 0v-280 280Z"/></svg>';var ui='<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 -960 960 960"><path d="M140-200q-24 0-42-18.5T80-260v-440q0-24 18-42t42-18h680q24 0 42 18t18 42v440q0 23-18 41.5T820-200H140Zm0-60h680v-440H140v440Zm190-65h300q12.75 0 21.38-8.68 8.62-8.67 8.62-21.5 0-12.82-8.62-21.32-8.63-8.5-21.38-8.5H330q-12.75 0-21.37 8.68-8.63 8.67-8.63 21.5 0 12.82 8.63 21.32 8.62 8.5 21.37 8.5Zm-190 65v-440 440Zm114.5-323.68q8.5-8.67 8.5-21.5 0-12.82-8.68-21.32-8.67-8.5-21.5-8.5-12.82 0-21.32 8.68-8.5 8.67-8.5 21.5 0 12.82 8.68 21.32 8.67 8.5 21.5 8.5 12.82 0 21.32-8.68Zm124 0q8.5-8.67 8.5-21.5 0-12.82-8.68-21.32-8.67-8.5-21.5-8.5-12.82 0-21.32 8.68-8.5 8.67-8.5 21.5 0 12.82 8.68 21.32 8.67 8.5 21.5 8.5 12.82 0 21.32-8.68Zm123 0q8.5-8.67 8.5-21.5 0-12.82-8.68-21.32-8.67-8.5-21.5-8.5-12.82 0-21.32 8.68-8.5 8.67-8.5 21.5 0 12.82 8.68 21.32 8.67 8.5 21.5 8.5 12.82 0 21.32-8.68Zm124 0q8.5-8.67 8.5-21.5 0-12.82-8.68-21.32-8.67-8.5-21.5-8.5-12.82 0-21.32 8.68-8.5 8.67-8.5 21.5 0 12.82 8.68 21.32 8.67 8.5 21.5 8.5 12.82 0 21.32-8.68Zm123 0q8.5-8.67 8.5-21.5 0-12.82-8.68-21.32-8.67-8.5-21.5-8.5-12.82 0-21.32 8.68-8.5 8.67-8.5 21.5 0 12.82 8.68 21.32 8.67 8.5 21.5 8.5 12.82 0 21.32-8.68Zm-494 125q8.5-8.67 8.5-21.5 0-12.82-8.68-21.32-8.67-8.5-21.5-8.5-12.82 0-21.32 8.68-8.5 8.67-8.5 21.5 0 12.82 8.68 21.32 8.67 8.5 21.5 8.5 12.82 0 21.32-8.68Zm124 0q8.5-8.67 8.5-21.5 0-12.82-8.68-21.32-8.67-8.5-21.5-8.5-12.82 0-21.32 8.68-8.5 8.67-8.5 21.5 0 12.82 8.68 21.32 8.67 8.5 21.5 8.5 12.82 0 21.32-8.68Zm123 0q8.5-8.67 8.5-21.5 0-12.82-8.68-21.32-8.67-8.5-21.5-8.5-12.82 0-21.32 8.68-8.5 8.67-8.5 21.5 0 12.82 8.68 21.32 8.67 8.5 21.5 8.5 12.82 0 21.32-8.68Zm124 0q8.5-8.67 8.5-21.5 0-12.82-8.68-21.32-8.67-8.5-21.5-8.5-12.82 0-21.32 8.68-8.5 8.67-8.5 21.5 0 12.82 8.68 21.32 8.67 8.5 21.5 8.5 12.82 0 21.32-8.68Zm123 0q8.5-8.67 8.5-21.5 0-12.82-8.68-21.32-8.67-8.5-21.5-8.5-12.82 0-21.32 8.68-8.5 8.67-8.5 21.5 0 12.82 8.68 21.32 8.67 8.5 21.5 8.5 12.82 0 21.32-8.68Z"/></svg>';var ci='<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 -960 960 960"><path d="M469-358q-5-2-10-7L261-563q-9-9-8.5-21.5T262-606q9-9 21.5-9t21.5 9l175 176 176-176q9-9 21-8.5t21 9.5q9 9 9 21.5t-9 21.5L501-365q-5 5-10 7t-11 2q-6 0-11-2Z"/></svg>';var hi='<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 -960 960 960"><path d="M480-554 304-378q-9 9-21 8.5t-21-9.5q-9-9-9-21.5t9-21.5l197-197q9-9 21-9t21 9l198 198q9 9 9 21t-9 21q-9 9-21.5 9t-21.5-9L480-554Z"/></svg>';var fi='<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 -960 960 960"><path d="M280-280q-83 0-141.5-58.5T80-480q0-83 58.5-141.5T280-680h140q12.75 0 21.38 8.68 8.62 8.67 8.62 21.5 0 12.82-8.62 21.32-8.63 8.5-21.38 8.5H280q-58.33 0-99.17 40.76-40.83 40.77-40.83 99Q140-422 180.83-381q40.84 41 99.17 41h140q12.75 0 21.38 8.68 8.62 8.67 8.62 21.5 0 12.82-8.62 21.32-8.63 8.5-21.38 8.5H280Zm75-170q-12.75 0-21.37-8.68-8.63-8.67-8.63-21.5 0-12.82 8.63-21.32 8.62-8.5 21.37-8.5h250q12.75 0 21.38 8.68 8.62 8.67 8.62 21.5 0 12.82-8.62 21.32-8.63 8.5-21.38 8.5H355Zm185 170q-12.75 0-21.37-8.68-8.63-8.67-8.63-21.5 0-12.82 8.63-21.32 8.62-8.5 21.37-8.5h140q58.33 0 99.17-40.76 40.83-40.77 40.83-99Q820-538 779.17-579q-40.84-41-99.17-41H540q-12.75 0-21.37-8.68-8.63-8.67-8.63-21.5 0-12.82 8.63-21.32 8.62-8.5 21.37-8.5h140q83 0 141.5 58.5T880-480q0 83-58.5 141.5T680-280H540Z"/></svg>';var pi='<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 -960 960 960"><path d="M110-200q-12.75 0-21.37-8.68-8.63-8.67-8.63-21.5 0-12.82 8.63-21.32Q97.25-260 110-260h340q12.75 0 21.38 8.68 8.62 8.67 8.62 21.5 0 12.82-8.62 21.32-8.63 8.5-21.38 8.5H110Zm0-210q-12.75 0-21.37-8.68-8.63-8.67-8.63-21.5 0-12.82 8.63-21.32Q97.25-470 110-470h140q12.75 0 21.38 8.68 8.62 8.67 8.62 21.5 0 12.82-8.62 21.32-8.63 8.5-21.38 8.5H110Zm0-210q-12.75 0-21.37-8.68-8.63-8.67-8.63-21.5 0-12.82 8.63-21.32Q97.25-680 110-680h140q12.75 0 21.38 8.68 8.62 8.67 8.62 21.5 0 12.82-8.62 21.32-8.63 8.5-21.38 8.5H110Zm450 300q-83 0-141.5-58.5T360-520q0-83 58.5-141.5T560-720q83 0 141.5 58.5T760-520q0 32-10 62t-30 56l139 139q9 9 9 21t-9 21q-9 9-21 9t-21-9L678-360q-26 20-56 30t-62 10Zm-.24-60Q618-380 659-420.76q41-40.77 41-99Q700-578 659.24-619q-40.77-41-99-41Q502-660 461-619.24q-41 40.77-41 99Q420-462 460.76-421q40.77 41 99 41Z"/></svg>';var di='<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 -960 960 960"><path d="M230-450q-12.75 0-21.37-8.68-8.63-8.67-8.63-21.5 0-12.82 8.63-21.32 8.62-8.5 21.37-8.5h500q12.75 0 21.38 8.68 8.62 8.67 8.62 21.5 0 12.82-8.62 21.32-8.63 8.5-21.38 8.5H230Z"/></svg>';var gi='<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 -960 960 960"><path d="M245-165.53Q200-211.06 200-275v-349q-35-13-57.5-41.26-22.5-28.27-22.5-64.41Q120-776 152.5-808t78-32q45.5 0 77.5 32.14t32 78.05q0 35.81-22.5 64.31T260-624v349q0 39.19 27.5 67.09Q315-180 355.5-180t67.5-27.91q27-27.9 27-67.09v-410q0-65 45-110t110-45q65 0 110 45t45 110v349q35 13 57.5 41.36Q840-266.27 840-230q0 45-32.08 77.5Q775.83-120 730-120q-45 0-77.5-32.5T620-230q0-36.3 22.5-65.15Q665-324 700-336v-349q0-40-27.5-67.5T605-780q-40 0-67.5 27.5T510-685v410q0 63.94-45 109.47T355-120q-65 0-110-45.53ZM230.5-680q20.5 0 35-15t14.5-35.5q0-20.5-14.37-35Q251.25-780 230-780q-20 0-35 14.37-15 14.38-15 35.63 0 20 15 35t35.5 15Zm500 500q20.5 0 35-15t14.5-35.5q0-20.5-14.37-35Q751.25-280 730-280q-20 0-35 14.37-15 14.38-15 35.63 0 20 15 35t35.5 15ZM230-730Zm500 500Z"/></svg>';var mi='<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 -960 960 960"><path d="M378-329q-108.16 0-183.08-75Q120-479 120-585t75-181q75-75 181.5-75t181 75Q632-691 632-584.85 632-542 618-502q-14 40-42 75l242 240q9 8.56 9 21.78T818-143q-9 9-22.22 9-13.22 0-21.78-9L533-384q-30 26-69.96 40.5Q423.08-329 378-329Zm-1-60q81.25 0 138.13-57.5Q572-504 572-585t-56.87-138.5Q458.25-781 377-781q-82.08 0-139.54 57.5Q180-666 180-585t57.46 138.5Q294.92-389 377-389Z"/></svg>';var vi='<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 -960 960 960"><path d="M418-340q25 25 63 23.5t55-27.5l180-271q7-11-1.5-19.5T695-636L424-456q-26 18-28.5 54.5T418-340ZM192-160q-18 0-34-8.5T134-193q-26-48-40-100T80-399q0-83 31.5-156T197-682.5q54-54.5 126.5-86T478-800q83 0 156.5 31.5t128 86Q817-628 848.5-555T880-399q0 54-13 106.5T827-193q-9 16-25 24.5t-34 8.5H192Z"/></svg>';var wi='<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 -960 960 960"><path d="M480-297 364-181q-9 9-21 8.5t-21-9.5q-9-9-9-21.5t9-21.5l137-137q5-5 10-7t11-2q6 0 11 2t10 7l138 138q9 9 9 21t-9 21q-9 9-21.5 9t-21.5-9L480-297Zm0-366 116-116q9-9 21-8.5t21 9.5q9 9 9 21.5t-9 21.5L501-598q-5 5-10 7t-11 2q-6 0-11-2t-10-7L321-736q-9-9-8.5-21.5T322-779q9-9 21.5-9t21.5 9l115 116Z"/></svg>';var xi='<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 -960 960 960"><path d="M190-470q-12.75 0-21.37-8.68-8.63-8.67-8.63-21.5 0-12.82 8.63-21.32 8.62-8.5 21.37-8.5h505q60 0 102.5 42.5T840-385q0 60-42.5 103T695-239H554l46 45q9 8 8.63 20.29-.38 12.28-8.63 21.5-9 9.21-21.5 9.21t-21.5-9l-96-97q-5-5-7-10.13-2-5.14-2-11 0-5.87 2-10.87 2-5 7-10l97-98q8.8-9 20.9-9 12.1 0 21.1 8.84 8.25 8.84 8.63 21Q609-356 601-347l-47 48h141q35.21 0 60.11-25.5Q780-350 780-385.15t-24.89-60Q730.21-470 695-470H190Zm0 231q-12.75 0-21.37-8.68-8.63-8.67-8.63-21.5 0-12.82 8.63-21.32 8.62-8.5 21.37-8.5h140q12.75 0 21.38 8.68 8.62 8.67 8.62 21.5 0 12.82-8.62 21.32-8.63 8.5-21.38 8.5H190Zm0-461q-12.75 0-21.37-8.68-8.63-8.67-8.63-21.5 0-12.82 8.63-21.32 8.62-8.5 21.37-8.5h580q12.75 0 21.38 8.68 8.62 8.67 8.62 21.5 0 12.82-8.62 21.32-8.63 8.5-21.38 8.5H190Z"/></svg>';var Va={add:ti,arrow_forward:ei,check:ni,close:ri,content_copy:ii,dangerous:oi,difference:si,error:ai,fit_screen:li,keyboard:ui,keyboard_arrow_down:ci,keyboard_arrow_up:hi,link:fi,manage_search:pi,remove:di,route:gi,search:mi,speed:vi,unfold_less:wi,wrap_text:xi};function yi(t){let e=new DOMParser().parseFromString(Va[t],"image/svg+xml").documentElement;return document.importNode(e,!0)}function k(t,e={},...n){let r=document.createElement(t);for(let[i,o]of Object.entries(e))r.setAttribute(i,o);for(let i of n)i!==null&&r.append(i);return r}function st(t){return k("span",{class:"icon","aria-hidden":"true"},yi(t))}function H(t,e,n){let r=k("button",{type:"button",title:t,"aria-label":t},e);return r.addEventListener("click",n),r}var an=new Intl.NumberFormat("en-US");var at=new Map,ln=0,Pa=()=>{};var Ot=class extends Error{};function un(t,e="high"){let n=at.get(t);if(n)return at.delete(t),at.set(t,n),n.text;let r={text:Qa(t,e),size:0};return at.set(t,r),r.text.then(i=>{if(at.get(t)===r){r.size=i.length,ln+=r.size;for(let[o,{size:s}]of at){if(ln<=100663296||o===t)break;ln-=s,at.delete(o)}}},()=>at.delete(t)),r.text}async function Qa(t,e){let n=Pa(t);if(n!==void 0)return n;let r;try{r=await fetch(t,{priority:e})}catch{throw new Ot("The server cannot be reached. Check that it still runs, then try again.")}if(!r.ok){let i=(await r.text().catch(()=>"")).trim();throw i&&i.length<200&&!i.includes("<")?new Ot(i):new Ot(`The server answered with status ${r.status}. Try again.`)}return r.text()}var ge=class{constructor(e,n){this.root=e;this.resized=n;this.scroller=Fa(e),this.observer=new ResizeObserver(()=>this.fit()),this.observer.observe(this.scroller),this.scroller.firstElementChild&&this.observer.observe(this.scroller.firstElementChild)}root;resized;height="fill";observer;scroller;set(e){this.height=e,this.fit()}fit(){if(!this.root.isConnected)return;let e=Math.round(this.height==="fill"?this.room():this.height);Math.abs(this.root.offsetHeight-e)<2||(this.root.style.height=`${e}px`,this.resized())}room(){let e=this.scroller.getBoundingClientRect(),n=this.root.getBoundingClientRect().top-e.top+this.scroller.scrollTop;return Math.max(320,this.scroller.clientHeight-n-16)}close(){this.observer.disconnect()}};function Fa(t){let e=t;for(;e=e.parentNode??(e instanceof ShadowRoot?e.host:null);){if(!(e instanceof HTMLElement))continue;let{overflowY:n}=getComputedStyle(e);if(n==="auto"||n==="scroll")return e}return document.documentElement}function bi(t){let e=getComputedStyle(t).getPropertyValue("--st-background-color").trim();t.dataset.scheme=Xa(e)?"dark":"light"}function Xa(t){let e=document.createElement("canvas").getContext("2d");if(!e||!t)return!1;e.fillStyle=t,e.fillRect(0,0,1,1);let[n=255,r=255,i=255]=e.getImageData(0,0,1,1).data;return .299*n+.587*r+.114*i<128}function ki(t,e){let{svg:n,size:r}=t,i=n.cloneNode(!0);i.setAttribute("viewBox",`0 0 ${r.width} ${r.height}`),i.setAttribute("width",String(r.width)),i.setAttribute("height",String(r.height)),i.classList.remove("choosing"),i.firstElementChild?.removeAttribute("transform");let o="path, polygon, polyline, ellipse, text, rect",s=n.querySelectorAll(o);i.querySelectorAll(o).forEach((l,u)=>{let h=getComputedStyle(s[u]);for(let p of["stroke-width","stroke-dasharray","opacity","font-family","font-weight","text-decoration"])l.setAttribute(p,h.getPropertyValue(p));for(let p of["fill","stroke"]){let[d,g]=_i(h.getPropertyValue(p));l.setAttribute(p,d),l.setAttribute(`${p}-opacity`,g)}}),i.querySelector(".folds")?.remove();let a=document.createElementNS("http://www.w3.org/2000/svg","rect");return a.setAttribute("width","100%"),a.setAttribute("height","100%"),a.setAttribute("fill",_i(e)[0]),i.prepend(a),new XMLSerializer().serializeToString(i)}function cn(t,e,n){let r=URL.createObjectURL(new Blob([n],{type:e}));k("a",{href:r,download:t}).click(),window.setTimeout(()=>URL.revokeObjectURL(r),1e4)}function _i(t){let e=/^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.e-]+))?\)$/.exec(t);if(e){let[r,i,o]=e.slice(1,4).map(s=>Math.round(Number(s)*255));return[`rgb(${r}, ${i}, ${o})`,e[4]??"1"]}let n=/^rgba\((\d+, \d+, \d+), ([\d.]+)\)$/.exec(t);return n?[`rgb(${n[1]})`,n[2]]:[t,"1"]}var Ya=new Set(["svg","g","title","desc","defs","path","polygon","polyline","ellipse","circle","rect","line","text","tspan","lineargradient","radialgradient","stop","clippath"]),Ua=new Set(["id","class","transform","viewbox","width","height","x","y","dx","dy","x1","y1","x2","y2","cx","cy","r","rx","ry","d","points","fill","fill-opacity","stroke","stroke-width","stroke-opacity","stroke-dasharray","opacity","text-anchor","font-family","font-size","font-weight","font-style","text-decoration","offset","stop-color","stop-opacity","gradientunits","gradienttransform","clip-path"]);function qi(t){let e=new DOMParser().parseFromString(t,"image/svg+xml"),n=e.documentElement;if(e.querySelector("parsererror")||n.nodeName.toLowerCase()!=="svg")throw new Error("The server did not send a drawing. Reload the page.");let r=Ei(n);if(!(r instanceof SVGSVGElement))throw new Error("The drawing is empty.");return r}function Ei(t){let e=t.localName.toLowerCase(),n=e==="a";if(!n&&!Ya.has(e))return null;let r=n?document.createElementNS("http://www.w3.org/2000/svg","g"):document.createElementNS("http://www.w3.org/2000/svg",t.localName);for(let{name:i,localName:o,value:s}of[...t.attributes])n&&o==="title"&&r.setAttribute("data-tooltip",s),!(n||!Ua.has(i.toLowerCase()))&&(/url\(\s*(?!['"]?#)/i.test(s)||r.setAttribute(i,s));for(let i of[...t.childNodes])if(i.nodeType===Node.TEXT_NODE)r.append(i.textContent??"");else if(i instanceof Element){let o=Ei(i);o&&r.append(o)}return r}var qt="http://www.w3.org/2000/svg",mt=11,me=class{svg;content;size;nodes=new Map;edges=[];constructor(e){this.svg=qi(e);let[,,n=1,r=1]=(this.svg.getAttribute("viewBox")??"0 0 1 1").split(/[\s,]+/).map(Number);this.size={width:Math.max(1,n),height:Math.max(1,r)},this.content=document.createElementNS(qt,"g"),this.content.append(...this.svg.childNodes),this.svg.replaceChildren(this.content);for(let o of["width","height","viewBox"])this.svg.removeAttribute(o);for(let o of this.content.querySelectorAll("g.node, g.edge, g.cluster"))this.take(o);let i=this.content.querySelector("g.graph > polygon:first-of-type");(i&&i.getAttribute("stroke")==="transparent"||i?.getAttribute("fill")==="white")&&i?.remove()}take(e){let n=e.querySelector(":scope > title"),r=n?.textContent??"";n?.remove();let i=e.querySelector("[data-tooltip]")?.dataset.tooltip;if(i?.trim()&&i!==r&&e.prepend(Mi(i)),e.classList.contains("edge")){let[o="",s=""]=r.split(/->|--/).map(a=>a.replace(/:\w+(:\w+)?$/,""));this.edges.push({group:e,from:o,to:s})}else r&&(e.dataset.node=r,this.nodes.set(r,e))}addFolds(){let e=this.content.querySelector("g.graph")??this.content,n=document.createElementNS(qt,"g");n.setAttribute("class","folds");for(let[r,i]of this.nodes){let o=ve(i);if(o===null)continue;let s=i.getBBox();n.append(Wa(r,o,s.x+s.width,s.y))}e.append(n)}having(e){let n=[...this.nodes.values()],r=n.filter(i=>Ka(i).some(o=>o.toLowerCase().includes(e)));return r.length?r:n.filter(i=>i.querySelector(":scope > title")?.textContent?.toLowerCase().includes(e))}};function Ka(t){return[...t.querySelectorAll("text")].map(e=>e.textContent??"")}function ve(t){return t.classList.contains("folded")?!1:t.classList.contains("cluster")||t.classList.contains("handle")?!0:null}function Wa(t,e,n,r){let i=document.createElementNS(qt,"g");i.setAttribute("class","fold"),i.dataset.fold=t,i.append(Mi(e?"Fold (double-click)":"Open (double-click)"));let o=document.createElementNS(qt,"rect"),[s,a]=[n-mt*.75,r-mt*.25];for(let[g,_]of Object.entries({x:s,y:a,width:mt,height:mt,rx:2}))o.setAttribute(g,String(_));let l=document.createElementNS(qt,"path"),[u,h,p]=[s+mt/2,a+mt/2,mt*.28],d=e?"":`M${u},${h-p}v${2*p}`;return l.setAttribute("d",`M${u-p},${h}h${2*p}${d}`),i.append(o,l),i}function Mi(t){let e=document.createElementNS(qt,"title");return e.textContent=t,e}var we=class{constructor(e,n,r){this.show=e;this.seek=n;this.done=r;this.input.addEventListener("input",()=>this.search(!0)),this.input.addEventListener("keydown",i=>this.onKey(i)),this.input.addEventListener("blur",()=>{this.input.value||this.close()}),this.box.append(H("Find a node (/)",st("search"),()=>this.open()),this.input,this.counter),this.close()}show;seek;done;box=k("span",{class:"find"});input=k("input",{type:"search",placeholder:"Find a node","aria-label":"Find a node",spellcheck:"false"});counter=k("span",{class:"counter","aria-live":"polite"});drawing=null;found=[];at=0;open(){this.box.classList.add("open"),this.input.hidden=this.counter.hidden=!1,this.input.focus(),this.input.select()}on(e){this.drawing=e,this.input.value&&this.search(!1)}close(){this.box.classList.remove("open"),this.input.hidden=this.counter.hidden=!0,this.input.value="",this.search(!1)}search(e){for(let i of this.found)i.classList.remove("match","at");let n=this.input.value.trim().toLowerCase(),{drawing:r}=this;this.found=r&&n?r.having(n):[];for(let i of this.found)i.classList.add("match");this.at=0,this.counter.textContent=n?this.found.length?"":"none here":"",this.found.length&&this.go(0,e)}go(e,n=!0){this.found[this.at]?.classList.remove("at"),this.at=(this.at+e+this.found.length)%this.found.length;let r=this.found[this.at];r.classList.add("at"),this.counter.textContent=`${an.format(this.at+1)} / ${an.format(this.found.length)}`,n&&this.show(r)}onKey(e){if(e.stopPropagation(),e.key==="Escape")this.close(),this.done();else if(e.key==="Enter"){let n=this.input.value.trim();this.found.length?this.go(e.shiftKey?-1:1):n&&this.seek(n)}}};var Ja={widen:["Widen","Show twice as many nodes"],whole:["Show all anyway","Draw the whole graph, which may take some seconds"],start:["Start again","What was shown at first: nothing folded or opened by hand"]},xe=class{constructor(e){this.post=e;this.box.append(this.said,this.about,this.legend)}post;box=k("div",{class:"below"});said=k("div",{class:"said"});about=k("div",{class:"about","aria-live":"polite"});legend=k("div",{class:"key"});note(e,n){let r=n.flatMap(i=>{let[o,s]=Ja[i]??[];return o?[H(s,o,()=>this.post("ask",{ask:i}))]:[]});this.said.replaceChildren(...e?[k("span",{title:e},e)]:[],...r),this.said.hidden=!e&&!r.length}details(e){if(this.about.hidden=e===null,e===null)return;let n=(r,i,o)=>H(o,i,()=>this.post("action",{node:e.node,action:r}));this.about.replaceChildren(k("div",{},k("strong",{title:e.title},e.title),k("span",{class:"facts"},e.facts.join(" \xB7 ")),k("span",{class:"gap"}),e.follow?n("follow","Follow","Follow it through all passes"):null,e.find?n("find","Find in all passes","Look for its name in all passes"):null),...e.text?[k("code",{title:e.text},e.text)]:[])}key(e){this.legend.replaceChildren(...e.map(([n,r,i])=>k("span",{},k("i",{class:i?"line":"box",style:`--of:${tl(r)}`}),n))),this.legend.hidden=!e.length}},ja=new Set(["GM","UB","L1","L0A","L0B","L0C","REG","added","removed","changed"]);function tl(t){return ja.has(t)?`var(--${t})`:/^[-\w#%.,()\s]+$/.test(t)?t:"currentColor"}var el=150,Si=4,ye=16,be=48,nl=1.25,Ti=.8,$t=1.35,_e=class{constructor(e,n,r){this.root=e;this.base=n;this.outbox=r;e.classList.add("graph"),this.footer=new xe((i,o)=>this.ask(i,o)),this.find=new we(i=>this.visible(i)||this.centre(i,Math.max(Ti,this.transform().k)),i=>this.ask("seek",{text:i}),()=>this.canvas.focus()),this.marks=H("Mark what changed",st("difference"),()=>this.ask("ask",{ask:"marks"})),this.keep=H("Save the Graphviz source (.dot)","DOT",()=>{this.keepSource()}),this.tools.append(this.find.box,this.marks,H("Zoom in (+)",st("add"),()=>this.scale($t)),H("Zoom out (\u2212)",st("remove"),()=>this.scale(1/$t)),H("Fit (0)",st("fit_screen"),()=>this.fit()),H("Actual size (1)","1:1",()=>this.actual()),H("Download as SVG","SVG",()=>this.download()),this.keep),e.replaceChildren(this.canvas,this.tools,this.footer.box),this.behaviour=sn().filter(i=>!i.button&&(!i.ctrlKey||i.type==="wheel")).clickDistance(Si).on("start",({sourceEvent:i})=>{i?.type==="mousedown"&&this.canvas.classList.add("dragging")}).on("zoom",i=>{i.sourceEvent&&(this.fitted=!1),this.drawing?.content.setAttribute("transform",i.transform.toString())}).on("end",()=>this.canvas.classList.remove("dragging")),N(this.canvas).call(this.behaviour).on("dblclick.zoom",null),this.canvas.addEventListener("pointerdown",({clientX:i,clientY:o})=>{this.pressed={x:i,y:o}}),this.canvas.addEventListener("click",i=>this.onClick(i)),this.canvas.addEventListener("dblclick",i=>this.onDoubleClick(i)),this.canvas.addEventListener("keydown",i=>this.onKey(i)),this.frame=new ge(e,()=>this.onResize())}root;base;outbox;frame;canvas=k("div",{class:"canvas",tabindex:"0",role:"group","aria-label":"Graph"});footer;find;tools=k("div",{class:"tools",role:"toolbar","aria-label":"Graph"});marks;keep;behaviour;data;shown="";loading=0;drawing=null;selection="";anchor=null;fitted=!0;pressed=null;update({data:e}){this.data=e,bi(this.root),this.frame.set(e.height),this.footer.key(e.legend),this.footer.note(e.note??"",e.asks??[]),this.footer.details(e.details??null),this.marks.hidden=e.marks==null,this.marks.setAttribute("aria-pressed",String(e.marks??!1)),this.keep.hidden=!e.source;let n=e.url??e.svg??e.waiting??"";n!==this.shown?(this.shown=n,this.load()):this.select()}close(){this.loading+=1,this.frame.close()}load(){let e=++this.loading,{url:n,svg:r,waiting:i}=this.data;if(i){this.message(k("div",{class:"wait"},i)),fetch(new URL(n,this.base),{cache:"no-store"}).then(()=>e===this.loading&&this.outbox.post("ask",{ask:"made"}),a=>e===this.loading&&this.failed(a));return}let o=window.setTimeout(()=>{e===this.loading&&!this.drawing&&this.message(k("div",{class:"wait"},"Drawing\u2026"))},el);(n!==null?un(new URL(n,this.base).href):Promise.resolve(r??"")).then(a=>{e===this.loading&&this.draw(new me(a))}).catch(a=>{e===this.loading&&this.failed(a)}).finally(()=>window.clearTimeout(o))}failed(e){console.error(e);let n=H("Fetch it again","Try again",()=>this.load());n.classList.add("retry");let r=e instanceof Error?e.message:String(e);this.message(k("div",{class:"problem",role:"alert"},st("error"),k("p",{},r),n))}message(e){this.drawing=null,this.canvas.replaceChildren(e)}draw(e){let n=this.drawing===null,{anchor:r}=this;this.drawing=e,this.canvas.replaceChildren(e.svg),e.addFolds(),this.find.on(e),e.content.setAttribute("transform",this.transform().toString());let i=r&&e.nodes.get(r.node);i?this.hold(i,r):(n||this.fitted)&&this.open(),this.anchor=null,this.selection="",this.select(),this.root.dataset.painted=this.data.url??"svg"}hold(e,{x:n,y:r}){let i=e.getBoundingClientRect(),o=this.transform();this.fitted=!1,this.to(o.k,o.x+n-(i.left+i.width/2),o.y+r-i.top),this.visible(e)||this.centre(e)}ask(e,n,r=this.data.selected[0]??null){let o=(r===null?null:this.drawing?.nodes.get(r))?.getBoundingClientRect();this.anchor=o&&e!=="seek"?{node:r,x:o.left+o.width/2,y:o.top}:null,this.outbox.post(e,n)}select(){let e=JSON.stringify(this.data.selected);if(e===this.selection)return;this.selection=e;let n=new Set(this.data.selected),{nodes:r,edges:i,svg:o}=this.drawing??{};if(!r||!i||!o)return;for(let[a,l]of r)l.classList.toggle("chosen",n.has(a));for(let{group:a,from:l,to:u}of i)a.classList.toggle("chosen",n.has(l)||n.has(u));o.classList.toggle("choosing",n.size>0);let s=this.data.selected.map(a=>r.get(a)).filter(a=>a!==void 0);s.length&&!s.some(a=>this.visible(a))&&this.centre(s[0])}onClick(e){let{pressed:n}=this;if(n&&Math.hypot(e.clientX-n.x,e.clientY-n.y)>Si||e.detail>1)return;let r=e.target.closest("g.fold")?.dataset.fold;if(r!==void 0){this.fold(r);return}let i=this.nodeAt(e);i===null&&!this.data.selected.length||this.choose(i)}fold(e){let n=this.drawing?.nodes.get(e),r=n?ve(n):null;r!==null&&this.ask("fold",{node:e,folded:r},e)}nodeAt(e){return e.target.closest("g.node, g.cluster")?.dataset.node??null}choose(e){if(e!==null&&this.drawing?.nodes.get(e)?.classList.contains("stub")){let r=this.drawing.edges.find(({from:i,to:o})=>i===e||o===e);this.ask("node",{node:e},r?r.from===e?r.to:r.from:null);return}this.data={...this.data,selected:e===null?[]:[e]},this.data.details?.node!==e&&this.footer.details(null),this.select(),this.outbox.post("node",{node:e})}onDoubleClick(e){let n=this.nodeAt(e),r=n===null?null:this.drawing?.nodes.get(n);e.target.closest("g.fold")||(r&&ve(r)!==null?this.fold(n):r?this.centre(r,Math.max(1,this.transform().k)):this.scale($t))}transform(){return this.canvas.__zoom??ot}get size(){return this.drawing?.size??{width:1,height:1}}get fitting(){let{clientWidth:e,clientHeight:n}=this.canvas;return Math.min(nl,Math.max(1,e-2*ye)/this.size.width,Math.max(1,n-be-ye)/this.size.height)}to(e,n,r){N(this.canvas).call(this.behaviour.transform,ot.translate(n,r).scale(e))}fit(){let e=this.fitting;this.behaviour.scaleExtent([Math.min(e,1)/4,Math.max(4,e*4)]);let{clientWidth:n,clientHeight:r}=this.canvas;this.to(e,(n-this.size.width*e)/2,be+Math.max(0,r-be-ye-this.size.height*e)/2),this.fitted=!0}open(){this.fit();let e=Ti;if(this.fitting>=e)return;let n=[...this.drawing?.nodes.values()??[]],r=n.find(l=>l.matches(".node:is(.added, .removed, .changed)"))??n[0],i=this.canvas.getBoundingClientRect(),o=r?.getBoundingClientRect(),s=o?(o.left+o.width/2-i.left-this.transform().x)/this.transform().k:this.size.width/2,a=this.size.width*e<=i.width-2*ye;this.to(e,i.width/2-(a?this.size.width/2:s)*e,be),r&&!this.visible(r)&&this.centre(r),this.fitted=!0}actual(){let{k:e}=this.transform();this.scale(1/e)}scale(e){this.fitted=!1,N(this.canvas).call(this.behaviour.scaleBy,e)}move(e,n){this.fitted=!1;let{k:r}=this.transform();N(this.canvas).call(this.behaviour.translateBy,e/r,n/r)}visible(e){let n=this.canvas.getBoundingClientRect(),r=e.getBoundingClientRect(),i=(r.left+r.right)/2,o=(r.top+r.bottom)/2;return i>n.left&&i<n.right&&o>n.top&&o<n.bottom}centre(e,n=this.transform().k){let r=this.canvas.getBoundingClientRect(),i=e.getBoundingClientRect(),o=this.transform(),s={x:(i.left-r.left-o.x)/o.k,y:(i.top-r.top-o.y)/o.k,width:i.width/o.k,height:i.height/o.k};this.fitted=!1,this.to(n,r.width/2-(s.x+s.width/2)*n,r.height/2-(s.y+s.height/2)*n)}onResize(){this.drawing&&this.fitted&&this.open()}onKey(e){if(e.ctrlKey||e.metaKey||e.altKey)return;let n=60;switch(e.key){case"+":case"=":this.scale($t);break;case"-":this.scale(1/$t);break;case"0":this.fit();break;case"1":this.actual();break;case"ArrowLeft":this.move(n,0);break;case"ArrowRight":this.move(-n,0);break;case"ArrowUp":this.move(0,n);break;case"ArrowDown":this.move(0,-n);break;case"/":this.find.open();break;case"Enter":for(let r of this.data.selected)this.fold(r);break;case"Escape":this.data.selected.length&&this.choose(null);break;default:return}e.preventDefault(),e.stopPropagation()}download(){if(!this.drawing)return;let e=getComputedStyle(this.root).backgroundColor;cn(`${this.data.name}.svg`,"image/svg+xml",ki(this.drawing,e))}async keepSource(){let{source:e,name:n}=this.data;e&&cn(`${n}.dot`,"text/vnd.graphviz",await un(new URL(e,this.base).href))}};var Df=hn((t,e,n)=>{let r=document.createElement("style");return r.textContent=fn+pn,t.before(r),new _e(t,e,n)});export{Df as mount};
