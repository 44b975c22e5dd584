var xe=Date.now(),ti=8,ye=class{constructor(e){this.send=e}send;events=[];through(e){this.send=e}post(e,n){xe=Math.max(xe+1,Date.now()),this.events=[...this.events,{id:xe,kind:e,...n}].slice(-ti),this.send(this.events)}};function en(t){let e=new Map;return(n,r)=>{let i=n.parentElement.querySelector(".tilescope-root");if(!i)throw new Error("The component's element is missing.");let o=s=>n.setStateValue("events",s),a=e.get(i);if(a)a.outbox.through(o);else{let s=new ye(o);a={viewer:t(i,r,s),outbox:s},e.set(i,a)}return a.viewer.update(n),()=>{e.get(i)?.viewer.close(),e.delete(i)}}}var nn=`/* What both viewers have in common. Colours follow Streamlit's theme through its --st-* variables;
   the colours of memories and of changes are those of core/views/palette.py. */

.tilescope-root {
  --page: var(--st-background-color);
  --raised: color-mix(in srgb, var(--st-text-color) 3.5%, var(--page));
  --hover: color-mix(in srgb, var(--st-text-color) 8%, var(--page));
  --line: color-mix(in srgb, var(--st-text-color) 14%, var(--page));
  --ink: var(--st-text-color);
  --soft: color-mix(in srgb, var(--st-text-color) 66%, var(--page));
  --faint: color-mix(in srgb, var(--st-text-color) 46%, var(--page));
  --accent: var(--st-primary-color);
  --added: #2e9e5b;
  --removed: #d64545;
  --changed: #c98a00;
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
`;var rn=`/* The graph viewer. Classes are written over the colours that Graphviz put into the drawing. */

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
  opacity: 0.6;
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
`;var qt="http://www.w3.org/1999/xhtml",we={svg:"http://www.w3.org/2000/svg",xhtml:qt,xlink:"http://www.w3.org/1999/xlink",xml:"http://www.w3.org/XML/1998/namespace",xmlns:"http://www.w3.org/2000/xmlns/"};function et(t){var e=t+="",n=e.indexOf(":");return n>=0&&(e=t.slice(0,n))!=="xmlns"&&(t=t.slice(n+1)),we.hasOwnProperty(e)?{space:we[e],local:t}:t}function ri(t){return function(){var e=this.ownerDocument,n=this.namespaceURI;return n===qt&&e.documentElement.namespaceURI===qt?e.createElement(t):e.createElementNS(n,t)}}function ii(t){return function(){return this.ownerDocument.createElementNS(t.space,t.local)}}function Xt(t){var e=et(t);return(e.local?ii:ri)(e)}function oi(){}function at(t){return t==null?oi:function(){return this.querySelector(t)}}function on(t){typeof t!="function"&&(t=at(t));for(var e=this._groups,n=e.length,r=new Array(n),i=0;i<n;++i)for(var o=e[i],a=o.length,s=r[i]=new Array(a),u,l,f=0;f<a;++f)(u=o[f])&&(l=t.call(u,u.__data__,f,o))&&("__data__"in u&&(l.__data__=u.__data__),s[f]=l);return new M(r,this._parents)}function be(t){return t==null?[]:Array.isArray(t)?t:Array.from(t)}function ai(){return[]}function kt(t){return t==null?ai:function(){return this.querySelectorAll(t)}}function si(t){return function(){return be(t.apply(this,arguments))}}function an(t){typeof t=="function"?t=si(t):t=kt(t);for(var e=this._groups,n=e.length,r=[],i=[],o=0;o<n;++o)for(var a=e[o],s=a.length,u,l=0;l<s;++l)(u=a[l])&&(r.push(t.call(u,u.__data__,l,a)),i.push(u));return new M(r,i)}function Et(t){return function(){return this.matches(t)}}function Ft(t){return function(e){return e.matches(t)}}var ui=Array.prototype.find;function li(t){return function(){return ui.call(this.children,t)}}function ci(){return this.firstElementChild}function sn(t){return this.select(t==null?ci:li(typeof t=="function"?t:Ft(t)))}var fi=Array.prototype.filter;function hi(){return Array.from(this.children)}function pi(t){return function(){return fi.call(this.children,t)}}function un(t){return this.selectAll(t==null?hi:pi(typeof t=="function"?t:Ft(t)))}function ln(t){typeof t!="function"&&(t=Et(t));for(var e=this._groups,n=e.length,r=new Array(n),i=0;i<n;++i)for(var o=e[i],a=o.length,s=r[i]=[],u,l=0;l<a;++l)(u=o[l])&&t.call(u,u.__data__,l,o)&&s.push(u);return new M(r,this._parents)}function Yt(t){return new Array(t.length)}function cn(){return new M(this._enter||this._groups.map(Yt),this._parents)}function Mt(t,e){this.ownerDocument=t.ownerDocument,this.namespaceURI=t.namespaceURI,this._next=null,this._parent=t,this.__data__=e}Mt.prototype={constructor:Mt,appendChild:function(t){return this._parent.insertBefore(t,this._next)},insertBefore:function(t,e){return this._parent.insertBefore(t,e)},querySelector:function(t){return this._parent.querySelector(t)},querySelectorAll:function(t){return this._parent.querySelectorAll(t)}};function fn(t){return function(){return t}}function di(t,e,n,r,i,o){for(var a=0,s,u=e.length,l=o.length;a<l;++a)(s=e[a])?(s.__data__=o[a],r[a]=s):n[a]=new Mt(t,o[a]);for(;a<u;++a)(s=e[a])&&(i[a]=s)}function gi(t,e,n,r,i,o,a){var s,u,l=new Map,f=e.length,d=o.length,p=new Array(f),g;for(s=0;s<f;++s)(u=e[s])&&(p[s]=g=a.call(u,u.__data__,s,e)+"",l.has(g)?i[s]=u:l.set(g,u));for(s=0;s<d;++s)g=a.call(t,o[s],s,o)+"",(u=l.get(g))?(r[s]=u,u.__data__=o[s],l.delete(g)):n[s]=new Mt(t,o[s]);for(s=0;s<f;++s)(u=e[s])&&l.get(p[s])===u&&(i[s]=u)}function mi(t){return t.__data__}function hn(t,e){if(!arguments.length)return Array.from(this,mi);var n=e?gi:di,r=this._parents,i=this._groups;typeof t!="function"&&(t=fn(t));for(var o=i.length,a=new Array(o),s=new Array(o),u=new Array(o),l=0;l<o;++l){var f=r[l],d=i[l],p=d.length,g=vi(t.call(f,f&&f.__data__,l,r)),_=g.length,E=s[l]=new Array(_),N=a[l]=new Array(_),x=u[l]=new Array(p);n(f,d,E,N,x,g,e);for(var z=0,L=0,G,O;z<_;++z)if(G=E[z]){for(z>=L&&(L=z+1);!(O=N[L])&&++L<_;);G._next=O||null}}return a=new M(a,r),a._enter=s,a._exit=u,a}function vi(t){return typeof t=="object"&&"length"in t?t:Array.from(t)}function pn(){return new M(this._exit||this._groups.map(Yt),this._parents)}function dn(t,e,n){var r=this.enter(),i=this,o=this.exit();return typeof t=="function"?(r=t(r),r&&(r=r.selection())):r=r.append(t+""),e!=null&&(i=e(i),i&&(i=i.selection())),n==null?o.remove():n(o),r&&i?r.merge(i).order():i}function gn(t){for(var e=t.selection?t.selection():t,n=this._groups,r=e._groups,i=n.length,o=r.length,a=Math.min(i,o),s=new Array(i),u=0;u<a;++u)for(var l=n[u],f=r[u],d=l.length,p=s[u]=new Array(d),g,_=0;_<d;++_)(g=l[_]||f[_])&&(p[_]=g);for(;u<i;++u)s[u]=n[u];return new M(s,this._parents)}function mn(){for(var t=this._groups,e=-1,n=t.length;++e<n;)for(var r=t[e],i=r.length-1,o=r[i],a;--i>=0;)(a=r[i])&&(o&&a.compareDocumentPosition(o)^4&&o.parentNode.insertBefore(a,o),o=a);return this}function vn(t){t||(t=xi);function e(d,p){return d&&p?t(d.__data__,p.__data__):!d-!p}for(var n=this._groups,r=n.length,i=new Array(r),o=0;o<r;++o){for(var a=n[o],s=a.length,u=i[o]=new Array(s),l,f=0;f<s;++f)(l=a[f])&&(u[f]=l);u.sort(e)}return new M(i,this._parents).order()}function xi(t,e){return t<e?-1:t>e?1:t>=e?0:NaN}function xn(){var t=arguments[0];return arguments[0]=this,t.apply(null,arguments),this}function yn(){return Array.from(this)}function wn(){for(var t=this._groups,e=0,n=t.length;e<n;++e)for(var r=t[e],i=0,o=r.length;i<o;++i){var a=r[i];if(a)return a}return null}function bn(){let t=0;for(let e of this)++t;return t}function _n(){return!this.node()}function kn(t){for(var e=this._groups,n=0,r=e.length;n<r;++n)for(var i=e[n],o=0,a=i.length,s;o<a;++o)(s=i[o])&&t.call(s,s.__data__,o,i);return this}function yi(t){return function(){this.removeAttribute(t)}}function wi(t){return function(){this.removeAttributeNS(t.space,t.local)}}function bi(t,e){return function(){this.setAttribute(t,e)}}function _i(t,e){return function(){this.setAttributeNS(t.space,t.local,e)}}function ki(t,e){return function(){var n=e.apply(this,arguments);n==null?this.removeAttribute(t):this.setAttribute(t,n)}}function Ei(t,e){return function(){var n=e.apply(this,arguments);n==null?this.removeAttributeNS(t.space,t.local):this.setAttributeNS(t.space,t.local,n)}}function En(t,e){var n=et(t);if(arguments.length<2){var r=this.node();return n.local?r.getAttributeNS(n.space,n.local):r.getAttribute(n)}return this.each((e==null?n.local?wi:yi:typeof e=="function"?n.local?Ei:ki:n.local?_i:bi)(n,e))}function Ut(t){return t.ownerDocument&&t.ownerDocument.defaultView||t.document&&t||t.defaultView}function Mi(t){return function(){this.style.removeProperty(t)}}function Si(t,e,n){return function(){this.style.setProperty(t,e,n)}}function Ai(t,e,n){return function(){var r=e.apply(this,arguments);r==null?this.style.removeProperty(t):this.style.setProperty(t,r,n)}}function Mn(t,e,n){return arguments.length>1?this.each((e==null?Mi:typeof e=="function"?Ai:Si)(t,e,n??"")):nt(this.node(),t)}function nt(t,e){return t.style.getPropertyValue(e)||Ut(t).getComputedStyle(t,null).getPropertyValue(e)}function Ti(t){return function(){delete this[t]}}function Ni(t,e){return function(){this[t]=e}}function Ci(t,e){return function(){var n=e.apply(this,arguments);n==null?delete this[t]:this[t]=n}}function Sn(t,e){return arguments.length>1?this.each((e==null?Ti:typeof e=="function"?Ci:Ni)(t,e)):this.node()[t]}function An(t){return t.trim().split(/^|\s+/)}function _e(t){return t.classList||new Tn(t)}function Tn(t){this._node=t,this._names=An(t.getAttribute("class")||"")}Tn.prototype={add:function(t){var e=this._names.indexOf(t);e<0&&(this._names.push(t),this._node.setAttribute("class",this._names.join(" ")))},remove:function(t){var e=this._names.indexOf(t);e>=0&&(this._names.splice(e,1),this._node.setAttribute("class",this._names.join(" ")))},contains:function(t){return this._names.indexOf(t)>=0}};function Nn(t,e){for(var n=_e(t),r=-1,i=e.length;++r<i;)n.add(e[r])}function Cn(t,e){for(var n=_e(t),r=-1,i=e.length;++r<i;)n.remove(e[r])}function zi(t){return function(){Nn(this,t)}}function Li(t){return function(){Cn(this,t)}}function Ii(t,e){return function(){(e.apply(this,arguments)?Nn:Cn)(this,t)}}function zn(t,e){var n=An(t+"");if(arguments.length<2){for(var r=_e(this.node()),i=-1,o=n.length;++i<o;)if(!r.contains(n[i]))return!1;return!0}return this.each((typeof e=="function"?Ii:e?zi:Li)(n,e))}function Ri(){this.textContent=""}function Oi(t){return function(){this.textContent=t}}function Di(t){return function(){var e=t.apply(this,arguments);this.textContent=e??""}}function Ln(t){return arguments.length?this.each(t==null?Ri:(typeof t=="function"?Di:Oi)(t)):this.node().textContent}function $i(){this.innerHTML=""}function Bi(t){return function(){this.innerHTML=t}}function Hi(t){return function(){var e=t.apply(this,arguments);this.innerHTML=e??""}}function In(t){return arguments.length?this.each(t==null?$i:(typeof t=="function"?Hi:Bi)(t)):this.node().innerHTML}function Vi(){this.nextSibling&&this.parentNode.appendChild(this)}function Rn(){return this.each(Vi)}function Pi(){this.previousSibling&&this.parentNode.insertBefore(this,this.parentNode.firstChild)}function On(){return this.each(Pi)}function Dn(t){var e=typeof t=="function"?t:Xt(t);return this.select(function(){return this.appendChild(e.apply(this,arguments))})}function Gi(){return null}function $n(t,e){var n=typeof t=="function"?t:Xt(t),r=e==null?Gi:typeof e=="function"?e:at(e);return this.select(function(){return this.insertBefore(n.apply(this,arguments),r.apply(this,arguments)||null)})}function qi(){var t=this.parentNode;t&&t.removeChild(this)}function Bn(){return this.each(qi)}function Xi(){var t=this.cloneNode(!1),e=this.parentNode;return e?e.insertBefore(t,this.nextSibling):t}function Fi(){var t=this.cloneNode(!0),e=this.parentNode;return e?e.insertBefore(t,this.nextSibling):t}function Hn(t){return this.select(t?Fi:Xi)}function Vn(t){return arguments.length?this.property("__data__",t):this.node().__data__}function Yi(t){return function(e){t.call(this,e,this.__data__)}}function Ui(t){return t.trim().split(/^|\s+/).map(function(e){var n="",r=e.indexOf(".");return r>=0&&(n=e.slice(r+1),e=e.slice(0,r)),{type:e,name:n}})}function Ki(t){return function(){var e=this.__on;if(e){for(var n=0,r=-1,i=e.length,o;n<i;++n)o=e[n],(!t.type||o.type===t.type)&&o.name===t.name?this.removeEventListener(o.type,o.listener,o.options):e[++r]=o;++r?e.length=r:delete this.__on}}}function Zi(t,e,n){return function(){var r=this.__on,i,o=Yi(e);if(r){for(var a=0,s=r.length;a<s;++a)if((i=r[a]).type===t.type&&i.name===t.name){this.removeEventListener(i.type,i.listener,i.options),this.addEventListener(i.type,i.listener=o,i.options=n),i.value=e;return}}this.addEventListener(t.type,o,n),i={type:t.type,name:t.name,value:e,listener:o,options:n},r?r.push(i):this.__on=[i]}}function Pn(t,e,n){var r=Ui(t+""),i,o=r.length,a;if(arguments.length<2){var s=this.node().__on;if(s){for(var u=0,l=s.length,f;u<l;++u)for(i=0,f=s[u];i<o;++i)if((a=r[i]).type===f.type&&a.name===f.name)return f.value}return}for(s=e?Zi:Ki,i=0;i<o;++i)this.each(s(r[i],e,n));return this}function Gn(t,e,n){var r=Ut(t),i=r.CustomEvent;typeof i=="function"?i=new i(e,n):(i=r.document.createEvent("Event"),n?(i.initEvent(e,n.bubbles,n.cancelable),i.detail=n.detail):i.initEvent(e,!1,!1)),t.dispatchEvent(i)}function Wi(t,e){return function(){return Gn(this,t,e)}}function Qi(t,e){return function(){return Gn(this,t,e.apply(this,arguments))}}function qn(t,e){return this.each((typeof e=="function"?Qi:Wi)(t,e))}function*Xn(){for(var t=this._groups,e=0,n=t.length;e<n;++e)for(var r=t[e],i=0,o=r.length,a;i<o;++i)(a=r[i])&&(yield a)}var ke=[null];function M(t,e){this._groups=t,this._parents=e}function Fn(){return new M([[document.documentElement]],ke)}function Ji(){return this}M.prototype=Fn.prototype={constructor:M,select:on,selectAll:an,selectChild:sn,selectChildren:un,filter:ln,data:hn,enter:cn,exit:pn,join:dn,merge:gn,selection:Ji,order:mn,sort:vn,call:xn,nodes:yn,node:wn,size:bn,empty:_n,each:kn,attr:En,style:Mn,property:Sn,classed:zn,text:Ln,html:In,raise:Rn,lower:On,append:Dn,insert:$n,remove:Bn,clone:Hn,datum:Vn,on:Pn,dispatch:qn,[Symbol.iterator]:Xn};var st=Fn;function C(t){return typeof t=="string"?new M([[document.querySelector(t)]],[document.documentElement]):new M([[t]],ke)}function Yn(t){let e;for(;e=t.sourceEvent;)t=e;return t}function X(t,e){if(t=Yn(t),e===void 0&&(e=t.currentTarget),e){var n=e.ownerSVGElement||e;if(n.createSVGPoint){var r=n.createSVGPoint();return r.x=t.clientX,r.y=t.clientY,r=r.matrixTransform(e.getScreenCTM().inverse()),[r.x,r.y]}if(e.getBoundingClientRect){var i=e.getBoundingClientRect();return[t.clientX-i.left-e.clientLeft,t.clientY-i.top-e.clientTop]}}return[t.pageX,t.pageY]}var ji={value:()=>{}};function St(){for(var t=0,e=arguments.length,n={},r;t<e;++t){if(!(r=arguments[t]+"")||r in n||/[\s.]/.test(r))throw new Error("illegal type: "+r);n[r]=[]}return new Kt(n)}function Kt(t){this._=t}function to(t,e){return t.trim().split(/^|\s+/).map(function(n){var r="",i=n.indexOf(".");if(i>=0&&(r=n.slice(i+1),n=n.slice(0,i)),n&&!e.hasOwnProperty(n))throw new Error("unknown type: "+n);return{type:n,name:r}})}Kt.prototype=St.prototype={constructor:Kt,on:function(t,e){var n=this._,r=to(t+"",n),i,o=-1,a=r.length;if(arguments.length<2){for(;++o<a;)if((i=(t=r[o]).type)&&(i=eo(n[i],t.name)))return i;return}if(e!=null&&typeof e!="function")throw new Error("invalid callback: "+e);for(;++o<a;)if(i=(t=r[o]).type)n[i]=Un(n[i],t.name,e);else if(e==null)for(i in n)n[i]=Un(n[i],t.name,null);return this},copy:function(){var t={},e=this._;for(var n in e)t[n]=e[n].slice();return new Kt(t)},call:function(t,e){if((i=arguments.length-2)>0)for(var n=new Array(i),r=0,i,o;r<i;++r)n[r]=arguments[r+2];if(!this._.hasOwnProperty(t))throw new Error("unknown type: "+t);for(o=this._[t],r=0,i=o.length;r<i;++r)o[r].value.apply(e,n)},apply:function(t,e,n){if(!this._.hasOwnProperty(t))throw new Error("unknown type: "+t);for(var r=this._[t],i=0,o=r.length;i<o;++i)r[i].value.apply(e,n)}};function eo(t,e){for(var n=0,r=t.length,i;n<r;++n)if((i=t[n]).name===e)return i.value}function Un(t,e,n){for(var r=0,i=t.length;r<i;++r)if(t[r].name===e){t[r]=ji,t=t.slice(0,r).concat(t.slice(r+1));break}return n!=null&&t.push({name:e,value:n}),t}var Ee={capture:!0,passive:!1};function Me(t){t.preventDefault(),t.stopImmediatePropagation()}function Kn(t){var e=t.document.documentElement,n=C(t).on("dragstart.drag",Me,Ee);"onselectstart"in e?n.on("selectstart.drag",Me,Ee):(e.__noselect=e.style.MozUserSelect,e.style.MozUserSelect="none")}function Zn(t,e){var n=t.document.documentElement,r=C(t).on("dragstart.drag",null);e&&(r.on("click.drag",Me,Ee),setTimeout(function(){r.on("click.drag",null)},0)),"onselectstart"in n?r.on("selectstart.drag",null):(n.style.MozUserSelect=n.__noselect,delete n.__noselect)}function no(t,{sourceEvent:e,subject:n,target:r,identifier:i,active:o,x:a,y:s,dx:u,dy:l,dispatch:f}){Object.defineProperties(this,{type:{value:t,enumerable:!0,configurable:!0},sourceEvent:{value:e,enumerable:!0,configurable:!0},subject:{value:n,enumerable:!0,configurable:!0},target:{value:r,enumerable:!0,configurable:!0},identifier:{value:i,enumerable:!0,configurable:!0},active:{value:o,enumerable:!0,configurable:!0},x:{value:a,enumerable:!0,configurable:!0},y:{value:s,enumerable:!0,configurable:!0},dx:{value:u,enumerable:!0,configurable:!0},dy:{value:l,enumerable:!0,configurable:!0},_:{value:f}})}no.prototype.on=function(){var t=this._.on.apply(this._,arguments);return t===this._?this:t};function xt(t,e,n){t.prototype=e.prototype=n,n.constructor=t}function Nt(t,e){var n=Object.create(t.prototype);for(var r in e)n[r]=e[r];return n}function rt(){}var ft=.7,vt=1/ft,gt="\\s*([+-]?\\d+)\\s*",At="\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)\\s*",F="\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)%\\s*",ro=/^#([0-9a-f]{3,8})$/,io=new RegExp(`^rgb\\(${gt},${gt},${gt}\\)$`),oo=new RegExp(`^rgb\\(${F},${F},${F}\\)$`),ao=new RegExp(`^rgba\\(${gt},${gt},${gt},${At}\\)$`),so=new RegExp(`^rgba\\(${F},${F},${F},${At}\\)$`),uo=new RegExp(`^hsl\\(${At},${F},${F}\\)$`),lo=new RegExp(`^hsla\\(${At},${F},${F},${At}\\)$`),Wn={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074};xt(rt,ht,{copy(t){return Object.assign(new this.constructor,this,t)},displayable(){return this.rgb().displayable()},hex:Qn,formatHex:Qn,formatHex8:co,formatHsl:fo,formatRgb:Jn,toString:Jn});function Qn(){return this.rgb().formatHex()}function co(){return this.rgb().formatHex8()}function fo(){return sr(this).formatHsl()}function Jn(){return this.rgb().formatRgb()}function ht(t){var e,n;return t=(t+"").trim().toLowerCase(),(e=ro.exec(t))?(n=e[1].length,e=parseInt(e[1],16),n===6?jn(e):n===3?new A(e>>8&15|e>>4&240,e>>4&15|e&240,(e&15)<<4|e&15,1):n===8?Zt(e>>24&255,e>>16&255,e>>8&255,(e&255)/255):n===4?Zt(e>>12&15|e>>8&240,e>>8&15|e>>4&240,e>>4&15|e&240,((e&15)<<4|e&15)/255):null):(e=io.exec(t))?new A(e[1],e[2],e[3],1):(e=oo.exec(t))?new A(e[1]*255/100,e[2]*255/100,e[3]*255/100,1):(e=ao.exec(t))?Zt(e[1],e[2],e[3],e[4]):(e=so.exec(t))?Zt(e[1]*255/100,e[2]*255/100,e[3]*255/100,e[4]):(e=uo.exec(t))?nr(e[1],e[2]/100,e[3]/100,1):(e=lo.exec(t))?nr(e[1],e[2]/100,e[3]/100,e[4]):Wn.hasOwnProperty(t)?jn(Wn[t]):t==="transparent"?new A(NaN,NaN,NaN,0):null}function jn(t){return new A(t>>16&255,t>>8&255,t&255,1)}function Zt(t,e,n,r){return r<=0&&(t=e=n=NaN),new A(t,e,n,r)}function ze(t){return t instanceof rt||(t=ht(t)),t?(t=t.rgb(),new A(t.r,t.g,t.b,t.opacity)):new A}function Ct(t,e,n,r){return arguments.length===1?ze(t):new A(t,e,n,r??1)}function A(t,e,n,r){this.r=+t,this.g=+e,this.b=+n,this.opacity=+r}xt(A,Ct,Nt(rt,{brighter(t){return t=t==null?vt:Math.pow(vt,t),new A(this.r*t,this.g*t,this.b*t,this.opacity)},darker(t){return t=t==null?ft:Math.pow(ft,t),new A(this.r*t,this.g*t,this.b*t,this.opacity)},rgb(){return this},clamp(){return new A(lt(this.r),lt(this.g),lt(this.b),Qt(this.opacity))},displayable(){return-.5<=this.r&&this.r<255.5&&-.5<=this.g&&this.g<255.5&&-.5<=this.b&&this.b<255.5&&0<=this.opacity&&this.opacity<=1},hex:tr,formatHex:tr,formatHex8:ho,formatRgb:er,toString:er}));function tr(){return`#${ut(this.r)}${ut(this.g)}${ut(this.b)}`}function ho(){return`#${ut(this.r)}${ut(this.g)}${ut(this.b)}${ut((isNaN(this.opacity)?1:this.opacity)*255)}`}function er(){let t=Qt(this.opacity);return`${t===1?"rgb(":"rgba("}${lt(this.r)}, ${lt(this.g)}, ${lt(this.b)}${t===1?")":`, ${t})`}`}function Qt(t){return isNaN(t)?1:Math.max(0,Math.min(1,t))}function lt(t){return Math.max(0,Math.min(255,Math.round(t)||0))}function ut(t){return t=lt(t),(t<16?"0":"")+t.toString(16)}function nr(t,e,n,r){return r<=0?t=e=n=NaN:n<=0||n>=1?t=e=NaN:e<=0&&(t=NaN),new H(t,e,n,r)}function sr(t){if(t instanceof H)return new H(t.h,t.s,t.l,t.opacity);if(t instanceof rt||(t=ht(t)),!t)return new H;if(t instanceof H)return t;t=t.rgb();var e=t.r/255,n=t.g/255,r=t.b/255,i=Math.min(e,n,r),o=Math.max(e,n,r),a=NaN,s=o-i,u=(o+i)/2;return s?(e===o?a=(n-r)/s+(n<r)*6:n===o?a=(r-e)/s+2:a=(e-n)/s+4,s/=u<.5?o+i:2-o-i,a*=60):s=u>0&&u<1?0:a,new H(a,s,u,t.opacity)}function jt(t,e,n,r){return arguments.length===1?sr(t):new H(t,e,n,r??1)}function H(t,e,n,r){this.h=+t,this.s=+e,this.l=+n,this.opacity=+r}xt(H,jt,Nt(rt,{brighter(t){return t=t==null?vt:Math.pow(vt,t),new H(this.h,this.s,this.l*t,this.opacity)},darker(t){return t=t==null?ft:Math.pow(ft,t),new H(this.h,this.s,this.l*t,this.opacity)},rgb(){var t=this.h%360+(this.h<0)*360,e=isNaN(t)||isNaN(this.s)?0:this.s,n=this.l,r=n+(n<.5?n:1-n)*e,i=2*n-r;return new A(Se(t>=240?t-240:t+120,i,r),Se(t,i,r),Se(t<120?t+240:t-120,i,r),this.opacity)},clamp(){return new H(rr(this.h),Wt(this.s),Wt(this.l),Qt(this.opacity))},displayable(){return(0<=this.s&&this.s<=1||isNaN(this.s))&&0<=this.l&&this.l<=1&&0<=this.opacity&&this.opacity<=1},formatHsl(){let t=Qt(this.opacity);return`${t===1?"hsl(":"hsla("}${rr(this.h)}, ${Wt(this.s)*100}%, ${Wt(this.l)*100}%${t===1?")":`, ${t})`}`}}));function rr(t){return t=(t||0)%360,t<0?t+360:t}function Wt(t){return Math.max(0,Math.min(1,t||0))}function Se(t,e,n){return(t<60?e+(n-e)*t/60:t<180?n:t<240?e+(n-e)*(240-t)/60:e)*255}var ur=Math.PI/180,lr=180/Math.PI,Jt=18,cr=.96422,fr=1,hr=.82521,pr=4/29,mt=6/29,dr=3*mt*mt,po=mt*mt*mt;function gr(t){if(t instanceof Y)return new Y(t.l,t.a,t.b,t.opacity);if(t instanceof W)return vr(t);t instanceof A||(t=ze(t));var e=Ce(t.r),n=Ce(t.g),r=Ce(t.b),i=Ae((.2225045*e+.7168786*n+.0606169*r)/fr),o,a;return e===n&&n===r?o=a=i:(o=Ae((.4360747*e+.3850649*n+.1430804*r)/cr),a=Ae((.0139322*e+.0971045*n+.7141733*r)/hr)),new Y(116*i-16,500*(o-i),200*(i-a),t.opacity)}function mr(t,e,n,r){return arguments.length===1?gr(t):new Y(t,e,n,r??1)}function Y(t,e,n,r){this.l=+t,this.a=+e,this.b=+n,this.opacity=+r}xt(Y,mr,Nt(rt,{brighter(t){return new Y(this.l+Jt*(t??1),this.a,this.b,this.opacity)},darker(t){return new Y(this.l-Jt*(t??1),this.a,this.b,this.opacity)},rgb(){var t=(this.l+16)/116,e=isNaN(this.a)?t:t+this.a/500,n=isNaN(this.b)?t:t-this.b/200;return e=cr*Te(e),t=fr*Te(t),n=hr*Te(n),new A(Ne(3.1338561*e-1.6168667*t-.4906146*n),Ne(-.9787684*e+1.9161415*t+.033454*n),Ne(.0719453*e-.2289914*t+1.4052427*n),this.opacity)}}));function Ae(t){return t>po?Math.pow(t,1/3):t/dr+pr}function Te(t){return t>mt?t*t*t:dr*(t-pr)}function Ne(t){return 255*(t<=.0031308?12.92*t:1.055*Math.pow(t,1/2.4)-.055)}function Ce(t){return(t/=255)<=.04045?t/12.92:Math.pow((t+.055)/1.055,2.4)}function go(t){if(t instanceof W)return new W(t.h,t.c,t.l,t.opacity);if(t instanceof Y||(t=gr(t)),t.a===0&&t.b===0)return new W(NaN,0<t.l&&t.l<100?0:NaN,t.l,t.opacity);var e=Math.atan2(t.b,t.a)*lr;return new W(e<0?e+360:e,Math.sqrt(t.a*t.a+t.b*t.b),t.l,t.opacity)}function te(t,e,n,r){return arguments.length===1?go(t):new W(t,e,n,r??1)}function W(t,e,n,r){this.h=+t,this.c=+e,this.l=+n,this.opacity=+r}function vr(t){if(isNaN(t.h))return new Y(t.l,0,0,t.opacity);var e=t.h*ur;return new Y(t.l,Math.cos(e)*t.c,Math.sin(e)*t.c,t.opacity)}xt(W,te,Nt(rt,{brighter(t){return new W(this.h,this.c,this.l+Jt*(t??1),this.opacity)},darker(t){return new W(this.h,this.c,this.l-Jt*(t??1),this.opacity)},rgb(){return vr(this).rgb()}}));var xr=-.14861,Le=1.78277,Ie=-.29227,ee=-.90649,Tt=1.97294,ir=Tt*ee,or=Tt*Le,ar=Le*Ie-ee*xr;function mo(t){if(t instanceof ct)return new ct(t.h,t.s,t.l,t.opacity);t instanceof A||(t=ze(t));var e=t.r/255,n=t.g/255,r=t.b/255,i=(ar*r+ir*e-or*n)/(ar+ir-or),o=r-i,a=(Tt*(n-i)-Ie*o)/ee,s=Math.sqrt(a*a+o*o)/(Tt*i*(1-i)),u=s?Math.atan2(a,o)*lr-120:NaN;return new ct(u<0?u+360:u,s,i,t.opacity)}function ne(t,e,n,r){return arguments.length===1?mo(t):new ct(t,e,n,r??1)}function ct(t,e,n,r){this.h=+t,this.s=+e,this.l=+n,this.opacity=+r}xt(ct,ne,Nt(rt,{brighter(t){return t=t==null?vt:Math.pow(vt,t),new ct(this.h,this.s,this.l*t,this.opacity)},darker(t){return t=t==null?ft:Math.pow(ft,t),new ct(this.h,this.s,this.l*t,this.opacity)},rgb(){var t=isNaN(this.h)?0:(this.h+120)*ur,e=+this.l,n=isNaN(this.s)?0:this.s*e*(1-e),r=Math.cos(t),i=Math.sin(t);return new A(255*(e+n*(xr*r+Le*i)),255*(e+n*(Ie*r+ee*i)),255*(e+n*(Tt*r)),this.opacity)}}));function br(t,e,n,r,i){var o=t*t,a=o*t;return((1-3*t+3*o-a)*e+(4-6*o+3*a)*n+(1+3*t+3*o-3*a)*r+a*i)/6}function vo(t){var e=t.length-1;return function(n){var r=n<=0?n=0:n>=1?(n=1,e-1):Math.floor(n*e),i=t[r],o=t[r+1],a=r>0?t[r-1]:2*i-o,s=r<e-1?t[r+2]:2*o-i;return br((n-r/e)*e,a,i,o,s)}}function xo(t){var e=t.length;return function(n){var r=Math.floor(((n%=1)<0?++n:n)*e),i=t[(r+e-1)%e],o=t[r%e],a=t[(r+1)%e],s=t[(r+2)%e];return br((n-r/e)*e,i,o,a,s)}}var $e=t=>()=>t;function _r(t,e){return function(n){return t+n*e}}function yo(t,e,n){return t=Math.pow(t,n),e=Math.pow(e,n)-t,n=1/n,function(r){return Math.pow(t+r*e,n)}}function Be(t,e){var n=e-t;return n?_r(t,n>180||n<-180?n-360*Math.round(n/360):n):$e(isNaN(t)?e:t)}function wo(t){return(t=+t)==1?I:function(e,n){return n-e?yo(e,n,t):$e(isNaN(e)?n:e)}}function I(t,e){var n=e-t;return n?_r(t,n):$e(isNaN(t)?e:t)}var He=(function t(e){var n=wo(e);function r(i,o){var a=n((i=Ct(i)).r,(o=Ct(o)).r),s=n(i.g,o.g),u=n(i.b,o.b),l=I(i.opacity,o.opacity);return function(f){return i.r=a(f),i.g=s(f),i.b=u(f),i.opacity=l(f),i+""}}return r.gamma=t,r})(1);function kr(t){return function(e){var n=e.length,r=new Array(n),i=new Array(n),o=new Array(n),a,s;for(a=0;a<n;++a)s=Ct(e[a]),r[a]=s.r||0,i[a]=s.g||0,o[a]=s.b||0;return r=t(r),i=t(i),o=t(o),s.opacity=1,function(u){return s.r=r(u),s.g=i(u),s.b=o(u),s+""}}}var _l=kr(vo),kl=kr(xo);function Q(t,e){return t=+t,e=+e,function(n){return t*(1-n)+e*n}}var Oe=/[-+]?(?:\d+\.?\d*|\.?\d+)(?:[eE][-+]?\d+)?/g,Re=new RegExp(Oe.source,"g");function bo(t){return function(){return t}}function _o(t){return function(e){return t(e)+""}}function Er(t,e){var n=Oe.lastIndex=Re.lastIndex=0,r,i,o,a=-1,s=[],u=[];for(t=t+"",e=e+"";(r=Oe.exec(t))&&(i=Re.exec(e));)(o=i.index)>n&&(o=e.slice(n,o),s[a]?s[a]+=o:s[++a]=o),(r=r[0])===(i=i[0])?s[a]?s[a]+=i:s[++a]=i:(s[++a]=null,u.push({i:a,x:Q(r,i)})),n=Re.lastIndex;return n<e.length&&(o=e.slice(n),s[a]?s[a]+=o:s[++a]=o),s.length<2?u[0]?_o(u[0].x):bo(e):(e=u.length,function(l){for(var f=0,d;f<e;++f)s[(d=u[f]).i]=d.x(l);return s.join("")})}var yr=180/Math.PI,De={translateX:0,translateY:0,rotate:0,skewX:0,scaleX:1,scaleY:1};function Mr(t,e,n,r,i,o){var a,s,u;return(a=Math.sqrt(t*t+e*e))&&(t/=a,e/=a),(u=t*n+e*r)&&(n-=t*u,r-=e*u),(s=Math.sqrt(n*n+r*r))&&(n/=s,r/=s,u/=s),t*r<e*n&&(t=-t,e=-e,u=-u,a=-a),{translateX:i,translateY:o,rotate:Math.atan2(e,t)*yr,skewX:Math.atan(u)*yr,scaleX:a,scaleY:s}}var re;function ko(t){let e=new(typeof DOMMatrix=="function"?DOMMatrix:WebKitCSSMatrix)(t+"");return e.isIdentity?De:Mr(e.a,e.b,e.c,e.d,e.e,e.f)}function Eo(t){return t==null||(re||(re=document.createElementNS("http://www.w3.org/2000/svg","g")),re.setAttribute("transform",t),!(t=re.transform.baseVal.consolidate()))?De:(t=t.matrix,Mr(t.a,t.b,t.c,t.d,t.e,t.f))}function Sr(t,e,n,r){function i(l){return l.length?l.pop()+" ":""}function o(l,f,d,p,g,_){if(l!==d||f!==p){var E=g.push("translate(",null,e,null,n);_.push({i:E-4,x:Q(l,d)},{i:E-2,x:Q(f,p)})}else(d||p)&&g.push("translate("+d+e+p+n)}function a(l,f,d,p){l!==f?(l-f>180?f+=360:f-l>180&&(l+=360),p.push({i:d.push(i(d)+"rotate(",null,r)-2,x:Q(l,f)})):f&&d.push(i(d)+"rotate("+f+r)}function s(l,f,d,p){l!==f?p.push({i:d.push(i(d)+"skewX(",null,r)-2,x:Q(l,f)}):f&&d.push(i(d)+"skewX("+f+r)}function u(l,f,d,p,g,_){if(l!==d||f!==p){var E=g.push(i(g)+"scale(",null,",",null,")");_.push({i:E-4,x:Q(l,d)},{i:E-2,x:Q(f,p)})}else(d!==1||p!==1)&&g.push(i(g)+"scale("+d+","+p+")")}return function(l,f){var d=[],p=[];return l=t(l),f=t(f),o(l.translateX,l.translateY,f.translateX,f.translateY,d,p),a(l.rotate,f.rotate,d,p),s(l.skewX,f.skewX,d,p),u(l.scaleX,l.scaleY,f.scaleX,f.scaleY,d,p),l=f=null,function(g){for(var _=-1,E=p.length,N;++_<E;)d[(N=p[_]).i]=N.x(g);return d.join("")}}}var Ar=Sr(ko,"px, ","px)","deg)"),Tr=Sr(Eo,", ",")",")"),Mo=1e-12;function wr(t){return((t=Math.exp(t))+1/t)/2}function So(t){return((t=Math.exp(t))-1/t)/2}function Ao(t){return((t=Math.exp(2*t))-1)/(t+1)}var Nr=(function t(e,n,r){function i(o,a){var s=o[0],u=o[1],l=o[2],f=a[0],d=a[1],p=a[2],g=f-s,_=d-u,E=g*g+_*_,N,x;if(E<Mo)x=Math.log(p/l)/e,N=function(tt){return[s+tt*g,u+tt*_,l*Math.exp(e*tt*x)]};else{var z=Math.sqrt(E),L=(p*p-l*l+r*E)/(2*l*n*z),G=(p*p-l*l-r*E)/(2*p*n*z),O=Math.log(Math.sqrt(L*L+1)-L),D=Math.log(Math.sqrt(G*G+1)-G);x=(D-O)/e,N=function(tt){var Vt=tt*x,Pt=wr(O),Gt=l/(n*z)*(Pt*Ao(e*Vt+O)-So(O));return[s+Gt*g,u+Gt*_,l*Pt/wr(e*Vt+O)]}}return N.duration=Math.abs(x)*1e3*e/Math.SQRT2,N}return i.rho=function(o){var a=Math.max(.001,+o),s=a*a,u=s*s;return t(a,s,u)},i})(Math.SQRT2,2,4);function Cr(t){return function(e,n){var r=t((e=jt(e)).h,(n=jt(n)).h),i=I(e.s,n.s),o=I(e.l,n.l),a=I(e.opacity,n.opacity);return function(s){return e.h=r(s),e.s=i(s),e.l=o(s),e.opacity=a(s),e+""}}}var El=Cr(Be),Ml=Cr(I);function zr(t){return function(e,n){var r=t((e=te(e)).h,(n=te(n)).h),i=I(e.c,n.c),o=I(e.l,n.l),a=I(e.opacity,n.opacity);return function(s){return e.h=r(s),e.c=i(s),e.l=o(s),e.opacity=a(s),e+""}}}var Sl=zr(Be),Al=zr(I);function Lr(t){return(function e(n){n=+n;function r(i,o){var a=t((i=ne(i)).h,(o=ne(o)).h),s=I(i.s,o.s),u=I(i.l,o.l),l=I(i.opacity,o.opacity);return function(f){return i.h=a(f),i.s=s(f),i.l=u(Math.pow(f,n)),i.opacity=l(f),i+""}}return r.gamma=e,r})(1)}var Tl=Lr(Be),Nl=Lr(I);var yt=0,Lt=0,zt=0,Rr=1e3,ie,It,oe=0,pt=0,se=0,Rt=typeof performance=="object"&&performance.now?performance:Date,Or=typeof window=="object"&&window.requestAnimationFrame?window.requestAnimationFrame.bind(window):function(t){setTimeout(t,17)};function ue(){return pt||(Or(To),pt=Rt.now()+se)}function To(){pt=0}function ae(){this._call=this._time=this._next=null}ae.prototype=Pe.prototype={constructor:ae,restart:function(t,e,n){if(typeof t!="function")throw new TypeError("callback is not a function");n=(n==null?ue():+n)+(e==null?0:+e),!this._next&&It!==this&&(It?It._next=this:ie=this,It=this),this._call=t,this._time=n,Ve()},stop:function(){this._call&&(this._call=null,this._time=1/0,Ve())}};function Pe(t,e,n){var r=new ae;return r.restart(t,e,n),r}function No(){ue(),++yt;for(var t=ie,e;t;)(e=pt-t._time)>=0&&t._call.call(void 0,e),t=t._next;--yt}function Ir(){pt=(oe=Rt.now())+se,yt=Lt=0;try{No()}finally{yt=0,zo(),pt=0}}function Co(){var t=Rt.now(),e=t-oe;e>Rr&&(se-=e,oe=t)}function zo(){for(var t,e=ie,n,r=1/0;e;)e._call?(r>e._time&&(r=e._time),t=e,e=e._next):(n=e._next,e._next=null,e=t?t._next=n:ie=n);It=t,Ve(r)}function Ve(t){if(!yt){Lt&&(Lt=clearTimeout(Lt));var e=t-pt;e>24?(t<1/0&&(Lt=setTimeout(Ir,Math.ceil(t-Rt.now()-se)+1)),zt&&(zt=clearInterval(zt))):(zt||(oe=Rt.now(),zt=setInterval(Co,Rr)),yt=1,Or(Ir))}}function Ge(t,e,n){var r=new ae;return e=e==null?0:+e,r.restart(i=>{r.stop(),t(i+e)},e,n),r}function $r(t){return((t*=2)<=1?t*t*t:(t-=2)*t*t+2)/2}var qe=3,Ll=(function t(e){e=+e;function n(r){return Math.pow(r,e)}return n.exponent=t,n})(qe),Il=(function t(e){e=+e;function n(r){return 1-Math.pow(1-r,e)}return n.exponent=t,n})(qe),Rl=(function t(e){e=+e;function n(r){return((r*=2)<=1?Math.pow(r,e):2-Math.pow(2-r,e))/2}return n.exponent=t,n})(qe),Lo=Math.PI,Ol=Lo/2;function le(t){return(Math.pow(2,-10*t)-.0009765625)*1.0009775171065494}var Dr=4/11,Dl=6/11,$l=8/11,Bl=3/4,Hl=9/11,Vl=10/11,Pl=15/16,Gl=21/22,ql=63/64,Xl=1/Dr/Dr;var Xe=1.70158,Fl=(function t(e){e=+e;function n(r){return(r=+r)*r*(e*(r-1)+r)}return n.overshoot=t,n})(Xe),Yl=(function t(e){e=+e;function n(r){return--r*r*((r+1)*e+r)+1}return n.overshoot=t,n})(Xe),Ul=(function t(e){e=+e;function n(r){return((r*=2)<1?r*r*((e+1)*r-e):(r-=2)*r*((e+1)*r+e)+2)/2}return n.overshoot=t,n})(Xe),wt=2*Math.PI,Fe=1,Ye=.3,Kl=(function t(e,n){var r=Math.asin(1/(e=Math.max(1,e)))*(n/=wt);function i(o){return e*le(- --o)*Math.sin((r-o)/n)}return i.amplitude=function(o){return t(o,n*wt)},i.period=function(o){return t(e,o)},i})(Fe,Ye),Zl=(function t(e,n){var r=Math.asin(1/(e=Math.max(1,e)))*(n/=wt);function i(o){return 1-e*le(o=+o)*Math.sin((o+r)/n)}return i.amplitude=function(o){return t(o,n*wt)},i.period=function(o){return t(e,o)},i})(Fe,Ye),Wl=(function t(e,n){var r=Math.asin(1/(e=Math.max(1,e)))*(n/=wt);function i(o){return((o=o*2-1)<0?e*le(-o)*Math.sin((r-o)/n):2-e*le(o)*Math.sin((r+o)/n))/2}return i.amplitude=function(o){return t(o,n*wt)},i.period=function(o){return t(e,o)},i})(Fe,Ye);var Io=St("start","end","cancel","interrupt"),Ro=[],Vr=0,Br=1,Ue=2,ce=3,Hr=4,Ke=5,fe=6;function he(t,e,n,r,i,o){var a=t.__transition;if(!a)t.__transition={};else if(n in a)return;Oo(t,n,{name:e,index:r,group:i,on:Io,tween:Ro,time:o.time,delay:o.delay,duration:o.duration,ease:o.ease,timer:null,state:Vr})}function Ze(t,e){var n=V(t,e);if(n.state>Vr)throw new Error("too late; already scheduled");return n}function U(t,e){var n=V(t,e);if(n.state>ce)throw new Error("too late; already running");return n}function V(t,e){var n=t.__transition;if(!n||!(n=n[e]))throw new Error("transition not found");return n}function Oo(t,e,n){var r=t.__transition,i;r[e]=n,n.timer=Pe(o,0,n.time);function o(l){n.state=Br,n.timer.restart(a,n.delay,n.time),n.delay<=l&&a(l-n.delay)}function a(l){var f,d,p,g;if(n.state!==Br)return u();for(f in r)if(g=r[f],g.name===n.name){if(g.state===ce)return Ge(a);g.state===Hr?(g.state=fe,g.timer.stop(),g.on.call("interrupt",t,t.__data__,g.index,g.group),delete r[f]):+f<e&&(g.state=fe,g.timer.stop(),g.on.call("cancel",t,t.__data__,g.index,g.group),delete r[f])}if(Ge(function(){n.state===ce&&(n.state=Hr,n.timer.restart(s,n.delay,n.time),s(l))}),n.state=Ue,n.on.call("start",t,t.__data__,n.index,n.group),n.state===Ue){for(n.state=ce,i=new Array(p=n.tween.length),f=0,d=-1;f<p;++f)(g=n.tween[f].value.call(t,t.__data__,n.index,n.group))&&(i[++d]=g);i.length=d+1}}function s(l){for(var f=l<n.duration?n.ease.call(null,l/n.duration):(n.timer.restart(u),n.state=Ke,1),d=-1,p=i.length;++d<p;)i[d].call(t,f);n.state===Ke&&(n.on.call("end",t,t.__data__,n.index,n.group),u())}function u(){n.state=fe,n.timer.stop(),delete r[e];for(var l in r)return;delete t.__transition}}function Ot(t,e){var n=t.__transition,r,i,o=!0,a;if(n){e=e==null?null:e+"";for(a in n){if((r=n[a]).name!==e){o=!1;continue}i=r.state>Ue&&r.state<Ke,r.state=fe,r.timer.stop(),r.on.call(i?"interrupt":"cancel",t,t.__data__,r.index,r.group),delete n[a]}o&&delete t.__transition}}function Do(t){return this.each(function(){Ot(this,t)})}function $o(t,e){var n,r;return function(){var i=U(this,t),o=i.tween;if(o!==n){r=n=o;for(var a=0,s=r.length;a<s;++a)if(r[a].name===e){r=r.slice(),r.splice(a,1);break}}i.tween=r}}function Bo(t,e,n){var r,i;if(typeof n!="function")throw new Error;return function(){var o=U(this,t),a=o.tween;if(a!==r){i=(r=a).slice();for(var s={name:e,value:n},u=0,l=i.length;u<l;++u)if(i[u].name===e){i[u]=s;break}u===l&&i.push(s)}o.tween=i}}function Ho(t,e){var n=this._id;if(t+="",arguments.length<2){for(var r=V(this.node(),n).tween,i=0,o=r.length,a;i<o;++i)if((a=r[i]).name===t)return a.value;return null}return this.each((e==null?$o:Bo)(n,t,e))}function We(t,e,n){var r=t._id;return t.each(function(){var i=U(this,r);(i.value||(i.value={}))[e]=n.apply(this,arguments)}),function(i){return V(i,r).value[e]}}function Pr(t,e){var n;return(typeof e=="number"?Q:e instanceof ht?He:(n=ht(e))?(e=n,He):Er)(t,e)}function Vo(t){return function(){this.removeAttribute(t)}}function Po(t){return function(){this.removeAttributeNS(t.space,t.local)}}function Go(t,e,n){var r,i=n+"",o;return function(){var a=this.getAttribute(t);return a===i?null:a===r?o:o=e(r=a,n)}}function qo(t,e,n){var r,i=n+"",o;return function(){var a=this.getAttributeNS(t.space,t.local);return a===i?null:a===r?o:o=e(r=a,n)}}function Xo(t,e,n){var r,i,o;return function(){var a,s=n(this),u;return s==null?void this.removeAttribute(t):(a=this.getAttribute(t),u=s+"",a===u?null:a===r&&u===i?o:(i=u,o=e(r=a,s)))}}function Fo(t,e,n){var r,i,o;return function(){var a,s=n(this),u;return s==null?void this.removeAttributeNS(t.space,t.local):(a=this.getAttributeNS(t.space,t.local),u=s+"",a===u?null:a===r&&u===i?o:(i=u,o=e(r=a,s)))}}function Yo(t,e){var n=et(t),r=n==="transform"?Tr:Pr;return this.attrTween(t,typeof e=="function"?(n.local?Fo:Xo)(n,r,We(this,"attr."+t,e)):e==null?(n.local?Po:Vo)(n):(n.local?qo:Go)(n,r,e))}function Uo(t,e){return function(n){this.setAttribute(t,e.call(this,n))}}function Ko(t,e){return function(n){this.setAttributeNS(t.space,t.local,e.call(this,n))}}function Zo(t,e){var n,r;function i(){var o=e.apply(this,arguments);return o!==r&&(n=(r=o)&&Ko(t,o)),n}return i._value=e,i}function Wo(t,e){var n,r;function i(){var o=e.apply(this,arguments);return o!==r&&(n=(r=o)&&Uo(t,o)),n}return i._value=e,i}function Qo(t,e){var n="attr."+t;if(arguments.length<2)return(n=this.tween(n))&&n._value;if(e==null)return this.tween(n,null);if(typeof e!="function")throw new Error;var r=et(t);return this.tween(n,(r.local?Zo:Wo)(r,e))}function Jo(t,e){return function(){Ze(this,t).delay=+e.apply(this,arguments)}}function jo(t,e){return e=+e,function(){Ze(this,t).delay=e}}function ta(t){var e=this._id;return arguments.length?this.each((typeof t=="function"?Jo:jo)(e,t)):V(this.node(),e).delay}function ea(t,e){return function(){U(this,t).duration=+e.apply(this,arguments)}}function na(t,e){return e=+e,function(){U(this,t).duration=e}}function ra(t){var e=this._id;return arguments.length?this.each((typeof t=="function"?ea:na)(e,t)):V(this.node(),e).duration}function ia(t,e){if(typeof e!="function")throw new Error;return function(){U(this,t).ease=e}}function oa(t){var e=this._id;return arguments.length?this.each(ia(e,t)):V(this.node(),e).ease}function aa(t,e){return function(){var n=e.apply(this,arguments);if(typeof n!="function")throw new Error;U(this,t).ease=n}}function sa(t){if(typeof t!="function")throw new Error;return this.each(aa(this._id,t))}function ua(t){typeof t!="function"&&(t=Et(t));for(var e=this._groups,n=e.length,r=new Array(n),i=0;i<n;++i)for(var o=e[i],a=o.length,s=r[i]=[],u,l=0;l<a;++l)(u=o[l])&&t.call(u,u.__data__,l,o)&&s.push(u);return new j(r,this._parents,this._name,this._id)}function la(t){if(t._id!==this._id)throw new Error;for(var e=this._groups,n=t._groups,r=e.length,i=n.length,o=Math.min(r,i),a=new Array(r),s=0;s<o;++s)for(var u=e[s],l=n[s],f=u.length,d=a[s]=new Array(f),p,g=0;g<f;++g)(p=u[g]||l[g])&&(d[g]=p);for(;s<r;++s)a[s]=e[s];return new j(a,this._parents,this._name,this._id)}function ca(t){return(t+"").trim().split(/^|\s+/).every(function(e){var n=e.indexOf(".");return n>=0&&(e=e.slice(0,n)),!e||e==="start"})}function fa(t,e,n){var r,i,o=ca(e)?Ze:U;return function(){var a=o(this,t),s=a.on;s!==r&&(i=(r=s).copy()).on(e,n),a.on=i}}function ha(t,e){var n=this._id;return arguments.length<2?V(this.node(),n).on.on(t):this.each(fa(n,t,e))}function pa(t){return function(){var e=this.parentNode;for(var n in this.__transition)if(+n!==t)return;e&&e.removeChild(this)}}function da(){return this.on("end.remove",pa(this._id))}function ga(t){var e=this._name,n=this._id;typeof t!="function"&&(t=at(t));for(var r=this._groups,i=r.length,o=new Array(i),a=0;a<i;++a)for(var s=r[a],u=s.length,l=o[a]=new Array(u),f,d,p=0;p<u;++p)(f=s[p])&&(d=t.call(f,f.__data__,p,s))&&("__data__"in f&&(d.__data__=f.__data__),l[p]=d,he(l[p],e,n,p,l,V(f,n)));return new j(o,this._parents,e,n)}function ma(t){var e=this._name,n=this._id;typeof t!="function"&&(t=kt(t));for(var r=this._groups,i=r.length,o=[],a=[],s=0;s<i;++s)for(var u=r[s],l=u.length,f,d=0;d<l;++d)if(f=u[d]){for(var p=t.call(f,f.__data__,d,u),g,_=V(f,n),E=0,N=p.length;E<N;++E)(g=p[E])&&he(g,e,n,E,p,_);o.push(p),a.push(f)}return new j(o,a,e,n)}var va=st.prototype.constructor;function xa(){return new va(this._groups,this._parents)}function ya(t,e){var n,r,i;return function(){var o=nt(this,t),a=(this.style.removeProperty(t),nt(this,t));return o===a?null:o===n&&a===r?i:i=e(n=o,r=a)}}function Gr(t){return function(){this.style.removeProperty(t)}}function wa(t,e,n){var r,i=n+"",o;return function(){var a=nt(this,t);return a===i?null:a===r?o:o=e(r=a,n)}}function ba(t,e,n){var r,i,o;return function(){var a=nt(this,t),s=n(this),u=s+"";return s==null&&(u=s=(this.style.removeProperty(t),nt(this,t))),a===u?null:a===r&&u===i?o:(i=u,o=e(r=a,s))}}function _a(t,e){var n,r,i,o="style."+e,a="end."+o,s;return function(){var u=U(this,t),l=u.on,f=u.value[o]==null?s||(s=Gr(e)):void 0;(l!==n||i!==f)&&(r=(n=l).copy()).on(a,i=f),u.on=r}}function ka(t,e,n){var r=(t+="")=="transform"?Ar:Pr;return e==null?this.styleTween(t,ya(t,r)).on("end.style."+t,Gr(t)):typeof e=="function"?this.styleTween(t,ba(t,r,We(this,"style."+t,e))).each(_a(this._id,t)):this.styleTween(t,wa(t,r,e),n).on("end.style."+t,null)}function Ea(t,e,n){return function(r){this.style.setProperty(t,e.call(this,r),n)}}function Ma(t,e,n){var r,i;function o(){var a=e.apply(this,arguments);return a!==i&&(r=(i=a)&&Ea(t,a,n)),r}return o._value=e,o}function Sa(t,e,n){var r="style."+(t+="");if(arguments.length<2)return(r=this.tween(r))&&r._value;if(e==null)return this.tween(r,null);if(typeof e!="function")throw new Error;return this.tween(r,Ma(t,e,n??""))}function Aa(t){return function(){this.textContent=t}}function Ta(t){return function(){var e=t(this);this.textContent=e??""}}function Na(t){return this.tween("text",typeof t=="function"?Ta(We(this,"text",t)):Aa(t==null?"":t+""))}function Ca(t){return function(e){this.textContent=t.call(this,e)}}function za(t){var e,n;function r(){var i=t.apply(this,arguments);return i!==n&&(e=(n=i)&&Ca(i)),e}return r._value=t,r}function La(t){var e="text";if(arguments.length<1)return(e=this.tween(e))&&e._value;if(t==null)return this.tween(e,null);if(typeof t!="function")throw new Error;return this.tween(e,za(t))}function Ia(){for(var t=this._name,e=this._id,n=qr(),r=this._groups,i=r.length,o=0;o<i;++o)for(var a=r[o],s=a.length,u,l=0;l<s;++l)if(u=a[l]){var f=V(u,e);he(u,t,n,l,a,{time:f.time+f.delay+f.duration,delay:0,duration:f.duration,ease:f.ease})}return new j(r,this._parents,t,n)}function Ra(){var t,e,n=this,r=n._id,i=n.size();return new Promise(function(o,a){var s={value:a},u={value:function(){--i===0&&o()}};n.each(function(){var l=U(this,r),f=l.on;f!==t&&(e=(t=f).copy(),e._.cancel.push(s),e._.interrupt.push(s),e._.end.push(u)),l.on=e}),i===0&&o()})}var Oa=0;function j(t,e,n,r){this._groups=t,this._parents=e,this._name=n,this._id=r}function Da(t){return st().transition(t)}function qr(){return++Oa}var J=st.prototype;j.prototype=Da.prototype={constructor:j,select:ga,selectAll:ma,selectChild:J.selectChild,selectChildren:J.selectChildren,filter:ua,merge:la,selection:xa,transition:Ia,call:J.call,nodes:J.nodes,node:J.node,size:J.size,empty:J.empty,each:J.each,on:ha,attr:Yo,attrTween:Qo,style:ka,styleTween:Sa,text:Na,textTween:La,remove:da,tween:Ho,delay:ta,duration:ra,ease:oa,easeVarying:sa,end:Ra,[Symbol.iterator]:J[Symbol.iterator]};var $a={time:null,delay:0,duration:250,ease:$r};function Ba(t,e){for(var n;!(n=t.__transition)||!(n=n[e]);)if(!(t=t.parentNode))throw new Error(`transition ${e} not found`);return n}function Ha(t){var e,n;t instanceof j?(e=t._id,t=t._name):(e=qr(),(n=$a).time=ue(),t=t==null?null:t+"");for(var r=this._groups,i=r.length,o=0;o<i;++o)for(var a=r[o],s=a.length,u,l=0;l<s;++l)(u=a[l])&&he(u,t,e,l,a,n||Ba(u,e));return new j(r,this._parents,t,e)}st.prototype.interrupt=Do;st.prototype.transition=Ha;var Dt=t=>()=>t;function Qe(t,{sourceEvent:e,target:n,transform:r,dispatch:i}){Object.defineProperties(this,{type:{value:t,enumerable:!0,configurable:!0},sourceEvent:{value:e,enumerable:!0,configurable:!0},target:{value:n,enumerable:!0,configurable:!0},transform:{value:r,enumerable:!0,configurable:!0},_:{value:i}})}function P(t,e,n){this.k=t,this.x=e,this.y=n}P.prototype={constructor:P,scale:function(t){return t===1?this:new P(this.k*t,this.x,this.y)},translate:function(t,e){return t===0&e===0?this:new P(this.k,this.x+this.k*t,this.y+this.k*e)},apply:function(t){return[t[0]*this.k+this.x,t[1]*this.k+this.y]},applyX:function(t){return t*this.k+this.x},applyY:function(t){return t*this.k+this.y},invert:function(t){return[(t[0]-this.x)/this.k,(t[1]-this.y)/this.k]},invertX:function(t){return(t-this.x)/this.k},invertY:function(t){return(t-this.y)/this.k},rescaleX:function(t){return t.copy().domain(t.range().map(this.invertX,this).map(t.invert,t))},rescaleY:function(t){return t.copy().domain(t.range().map(this.invertY,this).map(t.invert,t))},toString:function(){return"translate("+this.x+","+this.y+") scale("+this.k+")"}};var it=new P(1,0,0);Je.prototype=P.prototype;function Je(t){for(;!t.__zoom;)if(!(t=t.parentNode))return it;return t.__zoom}function pe(t){t.stopImmediatePropagation()}function bt(t){t.preventDefault(),t.stopImmediatePropagation()}function Va(t){return(!t.ctrlKey||t.type==="wheel")&&!t.button}function Pa(){var t=this;return t instanceof SVGElement?(t=t.ownerSVGElement||t,t.hasAttribute("viewBox")?(t=t.viewBox.baseVal,[[t.x,t.y],[t.x+t.width,t.y+t.height]]):[[0,0],[t.width.baseVal.value,t.height.baseVal.value]]):[[0,0],[t.clientWidth,t.clientHeight]]}function Xr(){return this.__zoom||it}function Ga(t){return-t.deltaY*(t.deltaMode===1?.05:t.deltaMode?1:.002)*(t.ctrlKey?10:1)}function qa(){return navigator.maxTouchPoints||"ontouchstart"in this}function Xa(t,e,n){var r=t.invertX(e[0][0])-n[0][0],i=t.invertX(e[1][0])-n[1][0],o=t.invertY(e[0][1])-n[0][1],a=t.invertY(e[1][1])-n[1][1];return t.translate(i>r?(r+i)/2:Math.min(0,r)||Math.max(0,i),a>o?(o+a)/2:Math.min(0,o)||Math.max(0,a))}function je(){var t=Va,e=Pa,n=Xa,r=Ga,i=qa,o=[0,1/0],a=[[-1/0,-1/0],[1/0,1/0]],s=250,u=Nr,l=St("start","zoom","end"),f,d,p,g=500,_=150,E=0,N=10;function x(c){c.property("__zoom",Xr).on("wheel.zoom",Vt,{passive:!1}).on("mousedown.zoom",Pt).on("dblclick.zoom",Gt).filter(i).on("touchstart.zoom",Qr).on("touchmove.zoom",Jr).on("touchend.zoom touchcancel.zoom",jr).style("-webkit-tap-highlight-color","rgba(0,0,0,0)")}x.transform=function(c,m,h,v){var y=c.selection?c.selection():c;y.property("__zoom",Xr),c!==y?O(c,m,h,v):y.interrupt().each(function(){D(this,arguments).event(v).start().zoom(null,typeof m=="function"?m.apply(this,arguments):m).end()})},x.scaleBy=function(c,m,h,v){x.scaleTo(c,function(){var y=this.__zoom.k,w=typeof m=="function"?m.apply(this,arguments):m;return y*w},h,v)},x.scaleTo=function(c,m,h,v){x.transform(c,function(){var y=e.apply(this,arguments),w=this.__zoom,b=h==null?G(y):typeof h=="function"?h.apply(this,arguments):h,k=w.invert(b),S=typeof m=="function"?m.apply(this,arguments):m;return n(L(z(w,S),b,k),y,a)},h,v)},x.translateBy=function(c,m,h,v){x.transform(c,function(){return n(this.__zoom.translate(typeof m=="function"?m.apply(this,arguments):m,typeof h=="function"?h.apply(this,arguments):h),e.apply(this,arguments),a)},null,v)},x.translateTo=function(c,m,h,v,y){x.transform(c,function(){var w=e.apply(this,arguments),b=this.__zoom,k=v==null?G(w):typeof v=="function"?v.apply(this,arguments):v;return n(it.translate(k[0],k[1]).scale(b.k).translate(typeof m=="function"?-m.apply(this,arguments):-m,typeof h=="function"?-h.apply(this,arguments):-h),w,a)},v,y)};function z(c,m){return m=Math.max(o[0],Math.min(o[1],m)),m===c.k?c:new P(m,c.x,c.y)}function L(c,m,h){var v=m[0]-h[0]*c.k,y=m[1]-h[1]*c.k;return v===c.x&&y===c.y?c:new P(c.k,v,y)}function G(c){return[(+c[0][0]+ +c[1][0])/2,(+c[0][1]+ +c[1][1])/2]}function O(c,m,h,v){c.on("start.zoom",function(){D(this,arguments).event(v).start()}).on("interrupt.zoom end.zoom",function(){D(this,arguments).event(v).end()}).tween("zoom",function(){var y=this,w=arguments,b=D(y,w).event(v),k=e.apply(y,w),S=h==null?G(k):typeof h=="function"?h.apply(y,w):h,q=Math.max(k[1][0]-k[0][0],k[1][1]-k[0][1]),T=y.__zoom,$=typeof m=="function"?m.apply(y,w):m,K=u(T.invert(S).concat(q/T.k),$.invert(S).concat(q/$.k));return function(B){if(B===1)B=$;else{var Z=K(B),ve=q/Z[2];B=new P(ve,S[0]-Z[0]*ve,S[1]-Z[1]*ve)}b.zoom(null,B)}})}function D(c,m,h){return!h&&c.__zooming||new tt(c,m)}function tt(c,m){this.that=c,this.args=m,this.active=0,this.sourceEvent=null,this.extent=e.apply(c,m),this.taps=0}tt.prototype={event:function(c){return c&&(this.sourceEvent=c),this},start:function(){return++this.active===1&&(this.that.__zooming=this,this.emit("start")),this},zoom:function(c,m){return this.mouse&&c!=="mouse"&&(this.mouse[1]=m.invert(this.mouse[0])),this.touch0&&c!=="touch"&&(this.touch0[1]=m.invert(this.touch0[0])),this.touch1&&c!=="touch"&&(this.touch1[1]=m.invert(this.touch1[0])),this.that.__zoom=m,this.emit("zoom"),this},end:function(){return--this.active===0&&(delete this.that.__zooming,this.emit("end")),this},emit:function(c){var m=C(this.that).datum();l.call(c,this.that,new Qe(c,{sourceEvent:this.sourceEvent,target:x,type:c,transform:this.that.__zoom,dispatch:l}),m)}};function Vt(c,...m){if(!t.apply(this,arguments))return;var h=D(this,m).event(c),v=this.__zoom,y=Math.max(o[0],Math.min(o[1],v.k*Math.pow(2,r.apply(this,arguments)))),w=X(c);if(h.wheel)(h.mouse[0][0]!==w[0]||h.mouse[0][1]!==w[1])&&(h.mouse[1]=v.invert(h.mouse[0]=w)),clearTimeout(h.wheel);else{if(v.k===y)return;h.mouse=[w,v.invert(w)],Ot(this),h.start()}bt(c),h.wheel=setTimeout(b,_),h.zoom("mouse",n(L(z(v,y),h.mouse[0],h.mouse[1]),h.extent,a));function b(){h.wheel=null,h.end()}}function Pt(c,...m){if(p||!t.apply(this,arguments))return;var h=c.currentTarget,v=D(this,m,!0).event(c),y=C(c.view).on("mousemove.zoom",S,!0).on("mouseup.zoom",q,!0),w=X(c,h),b=c.clientX,k=c.clientY;Kn(c.view),pe(c),v.mouse=[w,this.__zoom.invert(w)],Ot(this),v.start();function S(T){if(bt(T),!v.moved){var $=T.clientX-b,K=T.clientY-k;v.moved=$*$+K*K>E}v.event(T).zoom("mouse",n(L(v.that.__zoom,v.mouse[0]=X(T,h),v.mouse[1]),v.extent,a))}function q(T){y.on("mousemove.zoom mouseup.zoom",null),Zn(T.view,v.moved),bt(T),v.event(T).end()}}function Gt(c,...m){if(t.apply(this,arguments)){var h=this.__zoom,v=X(c.changedTouches?c.changedTouches[0]:c,this),y=h.invert(v),w=h.k*(c.shiftKey?.5:2),b=n(L(z(h,w),v,y),e.apply(this,m),a);bt(c),s>0?C(this).transition().duration(s).call(O,b,v,c):C(this).call(x.transform,b,v,c)}}function Qr(c,...m){if(t.apply(this,arguments)){var h=c.touches,v=h.length,y=D(this,m,c.changedTouches.length===v).event(c),w,b,k,S;for(pe(c),b=0;b<v;++b)k=h[b],S=X(k,this),S=[S,this.__zoom.invert(S),k.identifier],y.touch0?!y.touch1&&y.touch0[2]!==S[2]&&(y.touch1=S,y.taps=0):(y.touch0=S,w=!0,y.taps=1+!!f);f&&(f=clearTimeout(f)),w&&(y.taps<2&&(d=S[0],f=setTimeout(function(){f=null},g)),Ot(this),y.start())}}function Jr(c,...m){if(this.__zooming){var h=D(this,m).event(c),v=c.changedTouches,y=v.length,w,b,k,S;for(bt(c),w=0;w<y;++w)b=v[w],k=X(b,this),h.touch0&&h.touch0[2]===b.identifier?h.touch0[0]=k:h.touch1&&h.touch1[2]===b.identifier&&(h.touch1[0]=k);if(b=h.that.__zoom,h.touch1){var q=h.touch0[0],T=h.touch0[1],$=h.touch1[0],K=h.touch1[1],B=(B=$[0]-q[0])*B+(B=$[1]-q[1])*B,Z=(Z=K[0]-T[0])*Z+(Z=K[1]-T[1])*Z;b=z(b,Math.sqrt(B/Z)),k=[(q[0]+$[0])/2,(q[1]+$[1])/2],S=[(T[0]+K[0])/2,(T[1]+K[1])/2]}else if(h.touch0)k=h.touch0[0],S=h.touch0[1];else return;h.zoom("touch",n(L(b,k,S),h.extent,a))}}function jr(c,...m){if(this.__zooming){var h=D(this,m).event(c),v=c.changedTouches,y=v.length,w,b;for(pe(c),p&&clearTimeout(p),p=setTimeout(function(){p=null},g),w=0;w<y;++w)b=v[w],h.touch0&&h.touch0[2]===b.identifier?delete h.touch0:h.touch1&&h.touch1[2]===b.identifier&&delete h.touch1;if(h.touch1&&!h.touch0&&(h.touch0=h.touch1,delete h.touch1),h.touch0)h.touch0[1]=this.__zoom.invert(h.touch0[0]);else if(h.end(),h.taps===2&&(b=X(b,this),Math.hypot(d[0]-b[0],d[1]-b[1])<N)){var k=C(this).on("dblclick.zoom");k&&k.apply(this,arguments)}}}return x.wheelDelta=function(c){return arguments.length?(r=typeof c=="function"?c:Dt(+c),x):r},x.filter=function(c){return arguments.length?(t=typeof c=="function"?c:Dt(!!c),x):t},x.touchable=function(c){return arguments.length?(i=typeof c=="function"?c:Dt(!!c),x):i},x.extent=function(c){return arguments.length?(e=typeof c=="function"?c:Dt([[+c[0][0],+c[0][1]],[+c[1][0],+c[1][1]]]),x):e},x.scaleExtent=function(c){return arguments.length?(o[0]=+c[0],o[1]=+c[1],x):[o[0],o[1]]},x.translateExtent=function(c){return arguments.length?(a[0][0]=+c[0][0],a[1][0]=+c[1][0],a[0][1]=+c[0][1],a[1][1]=+c[1][1],x):[[a[0][0],a[0][1]],[a[1][0],a[1][1]]]},x.constrain=function(c){return arguments.length?(n=c,x):n},x.duration=function(c){return arguments.length?(s=+c,x):s},x.interpolate=function(c){return arguments.length?(u=c,x):u},x.on=function(){var c=l.on.apply(l,arguments);return c===l?x:c},x.clickDistance=function(c){return arguments.length?(E=(c=+c)*c,x):Math.sqrt(E)},x.tapDistance=function(c){return arguments.length?(N=+c,x):N},x}function R(t,e={},...n){let r=document.createElement(t);for(let[i,o]of Object.entries(e))r.setAttribute(i,o);for(let i of n)i!==null&&r.append(i);return r}function _t(t){return R("span",{class:"icon","aria-hidden":"true"},t)}function dt(t,e,n){let r=R("button",{type:"button",title:t,"aria-label":t},e);return r.addEventListener("click",n),r}var _c=new Intl.NumberFormat("en-US");var ot=new Map,tn=0,Fa=()=>{};var $t=class extends Error{};function Fr(t,e="high"){let n=ot.get(t);if(n)return ot.delete(t),ot.set(t,n),n.text;let r={text:Ya(t,e),size:0};return ot.set(t,r),r.text.then(i=>{if(ot.get(t)===r){r.size=i.length,tn+=r.size;for(let[o,{size:a}]of ot){if(tn<=100663296||o===t)break;tn-=a,ot.delete(o)}}},()=>ot.delete(t)),r.text}async function Ya(t,e){let n=Fa(t);if(n!==void 0)return n;let r;try{r=await fetch(t,{priority:e})}catch{throw new $t("The server cannot be reached. Check that it still runs, then try again.")}if(!r.ok){let i=(await r.text().catch(()=>"")).trim();throw i&&i.length<200&&!i.includes("<")?new $t(i):new $t(`The server answered with status ${r.status}. Try again.`)}return r.text()}var de=class{constructor(e,n){this.root=e;this.resized=n;this.scroller=Ua(e),this.observer=new ResizeObserver(()=>this.fit()),this.observer.observe(this.scroller),this.scroller.firstElementChild&&this.observer.observe(this.scroller.firstElementChild)}root;resized;height="fill";observer;scroller;set(e){this.height=e,this.fit()}fit(){if(!this.root.isConnected)return;let e=Math.round(this.height==="fill"?this.room():this.height);Math.abs(this.root.offsetHeight-e)<2||(this.root.style.height=`${e}px`,this.resized())}room(){let e=this.scroller.getBoundingClientRect(),n=this.root.getBoundingClientRect().top-e.top+this.scroller.scrollTop;return Math.max(320,this.scroller.clientHeight-n-16)}close(){this.observer.disconnect()}};function Ua(t){let e=t;for(;e=e.parentNode??(e instanceof ShadowRoot?e.host:null);){if(!(e instanceof HTMLElement))continue;let{overflowY:n}=getComputedStyle(e);if(n==="auto"||n==="scroll")return e}return document.documentElement}function Yr(t){let e=getComputedStyle(t).getPropertyValue("--st-background-color").trim();t.dataset.scheme=Ka(e)?"dark":"light"}function Ka(t){let e=document.createElement("canvas").getContext("2d");if(!e||!t)return!1;e.fillStyle=t,e.fillRect(0,0,1,1);let[n=255,r=255,i=255]=e.getImageData(0,0,1,1).data;return .299*n+.587*r+.114*i<128}var Za=new Set(["svg","g","title","desc","defs","path","polygon","polyline","ellipse","circle","rect","line","text","tspan","lineargradient","radialgradient","stop","clippath"]),Wa=new Set(["id","class","transform","viewbox","width","height","x","y","dx","dy","x1","y1","x2","y2","cx","cy","r","rx","ry","d","points","fill","fill-opacity","stroke","stroke-width","stroke-opacity","stroke-dasharray","opacity","text-anchor","font-family","font-size","font-weight","font-style","text-decoration","offset","stop-color","stop-opacity","gradientunits","gradienttransform","clip-path"]);function Ur(t){let e=new DOMParser().parseFromString(t,"image/svg+xml"),n=e.documentElement;if(e.querySelector("parsererror")||n.nodeName.toLowerCase()!=="svg")throw new Error("The server did not send a drawing. Reload the page.");let r=Kr(n);if(!(r instanceof SVGSVGElement))throw new Error("The drawing is empty.");return r}function Kr(t){let e=t.localName.toLowerCase(),n=e==="a";if(!n&&!Za.has(e))return null;let r=n?document.createElementNS("http://www.w3.org/2000/svg","g"):document.createElementNS("http://www.w3.org/2000/svg",t.localName);for(let{name:i,localName:o,value:a}of[...t.attributes])n&&o==="title"&&r.setAttribute("data-tooltip",a),!(n||!Wa.has(i.toLowerCase()))&&(/url\(\s*(?!['"]?#)/i.test(a)||r.setAttribute(i,a));for(let i of[...t.childNodes])if(i.nodeType===Node.TEXT_NODE)r.append(i.textContent??"");else if(i instanceof Element){let o=Kr(i);o&&r.append(o)}return r}var Qa=150,Zr=4,Bt=16,ge=48,Ja=1.25,ja=.72,Ht=1.35,me=class{constructor(e,n,r){this.root=e;this.base=n;this.outbox=r;e.classList.add("graph"),this.tools.append(dt("Zoom in (+)",_t("add"),()=>this.scale(Ht)),dt("Zoom out (\u2212)",_t("remove"),()=>this.scale(1/Ht)),dt("Fit (0)",_t("fit_screen"),()=>this.fit()),dt("Actual size (1)","1:1",()=>this.actual()),dt("Download as SVG",_t("download"),()=>this.download())),e.replaceChildren(this.canvas,this.tools,this.legend),this.behaviour=je().filter(i=>!i.button&&(!i.ctrlKey||i.type==="wheel")).clickDistance(Zr).on("start",({sourceEvent:i})=>{i?.type==="mousedown"&&this.canvas.classList.add("dragging")}).on("zoom",i=>{i.sourceEvent&&(this.fitted=!1),this.content?.setAttribute("transform",i.transform.toString())}).on("end",()=>this.canvas.classList.remove("dragging")),C(this.canvas).call(this.behaviour).on("dblclick.zoom",null),this.canvas.addEventListener("pointerdown",({clientX:i,clientY:o})=>{this.pressed={x:i,y:o}}),this.canvas.addEventListener("click",i=>this.onClick(i)),this.canvas.addEventListener("dblclick",i=>this.onDoubleClick(i)),this.canvas.addEventListener("keydown",i=>this.onKey(i)),this.frame=new de(e,()=>this.onResize())}root;base;outbox;frame;canvas=R("div",{class:"canvas",tabindex:"0",role:"group","aria-label":"Graph"});legend=R("div",{class:"key"});tools=R("div",{class:"tools",role:"toolbar","aria-label":"Graph"});behaviour;data;shown="";loading=0;svg=null;content=null;size={width:1,height:1};nodes=new Map;edges=[];selection="";fitted=!0;pressed=null;update({data:e}){this.data=e,Yr(this.root),this.frame.set(e.height),this.legend.replaceChildren(...e.legend.map(([r,i,o])=>R("span",{},R("i",{class:o?"line":"box",style:`--of:${es(i)}`}),r))),this.legend.toggleAttribute("hidden",!e.legend.length);let n=e.url??e.svg??"";n!==this.shown?(this.shown=n,this.load()):this.select()}close(){this.loading+=1,this.frame.close()}load(){let e=++this.loading,{url:n,svg:r}=this.data,i=window.setTimeout(()=>{e===this.loading&&!this.svg&&this.message(R("div",{class:"wait"},"Drawing\u2026"))},Qa);(n!==null?Fr(new URL(n,this.base).href):Promise.resolve(r??"")).then(a=>{e===this.loading&&this.draw(Ur(a))}).catch(a=>{if(e!==this.loading)return;console.error(a);let s=dt("Fetch it again","Try again",()=>this.load());s.classList.add("retry");let u=a instanceof Error?a.message:String(a);this.svg=this.content=null,this.message(R("div",{class:"problem",role:"alert"},_t("error"),R("p",{},u),s))}).finally(()=>window.clearTimeout(i))}message(e){this.canvas.replaceChildren(e)}draw(e){let[,,n=1,r=1]=(e.getAttribute("viewBox")??"0 0 1 1").split(/[\s,]+/).map(Number),i=this.svg===null;this.size={width:Math.max(1,n),height:Math.max(1,r)};let o=document.createElementNS("http://www.w3.org/2000/svg","g");o.append(...e.childNodes),e.replaceChildren(o);for(let s of["width","height","viewBox"])e.removeAttribute(s);this.nodes=new Map,this.edges=[];for(let s of o.querySelectorAll("g.node, g.edge, g.cluster")){let u=s.querySelector(":scope > title"),l=u?.textContent??"";u?.remove();let f=s.querySelector("[data-tooltip]")?.dataset.tooltip;if(f?.trim()&&f!==l){let d=document.createElementNS("http://www.w3.org/2000/svg","title");d.textContent=f,s.prepend(d)}if(s.classList.contains("edge")){let[d="",p=""]=l.split(/->|--/).map(g=>g.replace(/:\w+(:\w+)?$/,""));this.edges.push({group:s,from:d,to:p})}else l&&(s.dataset.node=l,this.nodes.set(l,s))}let a=o.querySelector("g.graph > polygon:first-of-type");(a&&a.getAttribute("stroke")==="transparent"||a?.getAttribute("fill")==="white")&&a?.remove(),this.svg=e,this.content=o,this.canvas.replaceChildren(e),i||this.fitted?this.open():o.setAttribute("transform",this.transform().toString()),this.selection="",this.select(),this.root.dataset.painted=this.data.url??"svg"}select(){let e=JSON.stringify(this.data.selected);if(e===this.selection)return;this.selection=e;let n=new Set(this.data.selected);for(let[i,o]of this.nodes)o.classList.toggle("chosen",n.has(i));for(let{group:i,from:o,to:a}of this.edges)i.classList.toggle("chosen",n.has(o)||n.has(a));this.svg?.classList.toggle("choosing",n.size>0);let r=this.data.selected.map(i=>this.nodes.get(i)).filter(i=>i!==void 0);r.length&&!r.some(i=>this.visible(i))&&this.centre(r[0])}onClick(e){let{pressed:n}=this;if(n&&Math.hypot(e.clientX-n.x,e.clientY-n.y)>Zr)return;let r=this.nodeAt(e);r===null&&!this.data.selected.length||this.choose(r)}nodeAt(e){return e.target.closest("g.node, g.cluster")?.dataset.node??null}choose(e){this.data={...this.data,selected:e===null?[]:[e]},this.select(),this.outbox.post("node",{node:e})}onDoubleClick(e){let n=this.nodeAt(e),r=n===null?null:this.nodes.get(n);r?this.centre(r,Math.max(1,this.transform().k)):this.scale(Ht)}transform(){return this.canvas.__zoom??it}get fitting(){let{clientWidth:e,clientHeight:n}=this.canvas;return Math.min(Ja,Math.max(1,e-2*Bt)/this.size.width,Math.max(1,n-ge-Bt)/this.size.height)}to(e,n,r){C(this.canvas).call(this.behaviour.transform,it.translate(n,r).scale(e))}fit(){let e=this.fitting;this.behaviour.scaleExtent([Math.min(e,1)/4,Math.max(4,e*4)]);let{clientWidth:n,clientHeight:r}=this.canvas;this.to(e,(n-this.size.width*e)/2,ge+Math.max(0,r-ge-Bt-this.size.height*e)/2),this.fitted=!0}open(){this.fit();let e=Math.min(ja,Math.max(1,this.canvas.clientWidth-2*Bt)/this.size.width*1.6);if(this.fitting>=e)return;let n=this.nodes.values().next().value,r=this.canvas.getBoundingClientRect(),i=n?.getBoundingClientRect(),o=i?(i.left+i.width/2-r.left-this.transform().x)/this.transform().k:this.size.width/2,a=this.size.width*e<=r.width-2*Bt;this.to(e,r.width/2-(a?this.size.width/2:o)*e,ge)}actual(){let{k:e}=this.transform();this.scale(1/e)}scale(e){this.fitted=!1,C(this.canvas).call(this.behaviour.scaleBy,e)}move(e,n){this.fitted=!1;let{k:r}=this.transform();C(this.canvas).call(this.behaviour.translateBy,e/r,n/r)}visible(e){let n=this.canvas.getBoundingClientRect(),r=e.getBoundingClientRect(),i=(r.left+r.right)/2,o=(r.top+r.bottom)/2;return i>n.left&&i<n.right&&o>n.top&&o<n.bottom}centre(e,n=this.transform().k){let r=this.canvas.getBoundingClientRect(),i=e.getBoundingClientRect(),o=this.transform(),a={x:(i.left-r.left-o.x)/o.k,y:(i.top-r.top-o.y)/o.k,width:i.width/o.k,height:i.height/o.k};this.fitted=!1,this.to(n,r.width/2-(a.x+a.width/2)*n,r.height/2-(a.y+a.height/2)*n)}onResize(){this.svg&&this.fitted&&this.open()}onKey(e){if(e.ctrlKey||e.metaKey||e.altKey)return;let n=60;switch(e.key){case"+":case"=":this.scale(Ht);break;case"-":this.scale(1/Ht);break;case"0":this.fit();break;case"1":this.actual();break;case"ArrowLeft":this.move(n,0);break;case"ArrowRight":this.move(-n,0);break;case"ArrowUp":this.move(0,n);break;case"ArrowDown":this.move(0,-n);break;case"Escape":this.data.selected.length&&this.choose(null);break;default:return}e.preventDefault(),e.stopPropagation()}download(){let{svg:e,content:n}=this;if(!e||!n)return;let r=e.cloneNode(!0);r.setAttribute("viewBox",`0 0 ${this.size.width} ${this.size.height}`),r.setAttribute("width",String(this.size.width)),r.setAttribute("height",String(this.size.height)),r.classList.remove("choosing"),r.firstElementChild?.removeAttribute("transform");let i="path, polygon, polyline, ellipse, text",o=e.querySelectorAll(i);r.querySelectorAll(i).forEach((l,f)=>{let d=getComputedStyle(o[f]);for(let p of["stroke-width","stroke-dasharray","opacity","font-family","font-weight"])l.setAttribute(p,d.getPropertyValue(p));for(let p of["fill","stroke"]){let[g,_]=Wr(d.getPropertyValue(p));l.setAttribute(p,g),l.setAttribute(`${p}-opacity`,_)}});let a=document.createElementNS("http://www.w3.org/2000/svg","rect");a.setAttribute("width","100%"),a.setAttribute("height","100%"),a.setAttribute("fill",Wr(getComputedStyle(this.root).backgroundColor)[0]),r.prepend(a);let s=new XMLSerializer().serializeToString(r),u=URL.createObjectURL(new Blob([s],{type:"image/svg+xml"}));R("a",{href:u,download:`${this.data.name}.svg`}).click(),window.setTimeout(()=>URL.revokeObjectURL(u),1e4)}};function Wr(t){let e=/^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.e-]+))?\)$/.exec(t);if(e){let[r,i,o]=e.slice(1,4).map(a=>Math.round(Number(a)*255));return[`rgb(${r}, ${i}, ${o})`,e[4]??"1"]}let n=/^rgba\((\d+, \d+, \d+), ([\d.]+)\)$/.exec(t);return n?[`rgb(${n[1]})`,n[2]]:[t,"1"]}var ts=new Set(["GM","UB","L1","L0A","L0B","L0C","REG"]);function es(t){return ts.has(t)?`var(--${t})`:/^[-\w#%.,()\s]+$/.test(t)?t:"currentColor"}var Bc=en((t,e,n)=>{let r=document.createElement("style");return r.textContent=nn+rn,t.before(r),new me(t,e,n)});export{Bc as mount};
