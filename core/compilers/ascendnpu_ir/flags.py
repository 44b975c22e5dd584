"""PLACEHOLDER"""
from __future__ import annotations
from core.hints import HintSpec
def _b(n,d,g,e="honoured"): return HintSpec(n,"bool",d,e,"?",g)
ROWS=(
 HintSpec("block-dim","int",1,"honoured","?","G",1,65535),
 _b("enable-auto-multi-buffer",False,"G"), _b("limit-auto-multi-buffer-only-for-local-buffer",False,"G"),
 HintSpec("limit-auto-multi-buffer-of-local-buffer","choice","no-l0c","honoured","?","G",choices=("no-limit","no-l0c")),
 HintSpec("limit-auto-multi-buffer-buffer","choice","only-cube","honoured","?","G",choices=("no-limit","only-cube","only-vector")),
 HintSpec("set-workspace-multibuffer","int",4,"honoured","?","G",1,64),
 _b("enable-tuning-mode",False,"G"),
 HintSpec("hfusion-max-buffer-count-tuning","int",0,"honoured","?","G",-64,64),
 HintSpec("cube-tiling-tuning","str","","honoured","?","G"),
 *[_b(n,d,"G") for n,d in (("enable-hfusion-count-buffer-dma-opt",False),("enable-ops-reorder",True),("enable-deterministic-computing",True),("enable-multi-kernel",False),("enable-symbol-analysis",False),("enable-manage-host-resources",False),("enable-ubuf-saving",False),("enable-code-motion",True),("enable-hivm-auto-storage-align",True),("enable-hivm-global-workspace-reuse",False),("enable-auto-bind-sub-block",True),("enable-auto-blockify-loop",False),("enable-hivm-nd2nz-on-vector",False),("enable-preload",False),("enable-hivm-auto-cv-balance",False),("disable-size-align-for-cast",False),("enable-hivm-assume-alive-loops",False),("enable-legacy-insert-load-store-for-mix-cv",False),("disable-auto-cv-work-space-manage",False),("disable-hivm-tensor-compile",False),("enable-hivm-graph-sync-solver",True),("enable-hivm-cross-core-gss",True),("enable-hivm-inject-barrier-all-sync",False),("enable-hivm-inject-block-all-sync",False),("enable-hivm-unit-flag-sync",False),("disable-hivm-auto-inject-sync",False),("disable-auto-inject-block-sync",False),("enable-static-bare-ptr",True),("enable-bin-relocation",True),("enable-debug-info",False),("enable-sanitizer",False))],
 HintSpec("hfusion-max-horizontal-fusion-size","int",-1,"honoured","?","G",-1,1000),
 HintSpec("tile-mix-cube-loop","int",2,"honoured","?","G",1,64),HintSpec("tile-mix-vector-loop","int",2,"honoured","?","G",1,64),
)
