"""The attributes that AKG takes and what each was seen to do, by the heading of a form.

Everything here was seen with AKG 1.10: every attribute was turned on and off on an elementwise
chain, softmax, a broadcast with a sum, a sum over columns, a cube matrix product and a transpose,
and the tiles, passes, cores and emitted code compared. The types are the ones AKG itself asks for
("Bool attribute X must be 0 or 1", "Failed to parse attribute: X as integer").
"""

from __future__ import annotations

from typing import NamedTuple

from core.hints import HintEffect, HintKind, HintValue


class Row(NamedTuple):
    name: str
    kind: HintKind
    default: HintValue | None
    effect: HintEffect
    does: str
    minimum: int | None = None
    maximum: int | None = None
    tries: tuple[HintValue, ...] = ()  #: values worth a sweep


ROWS: dict[str, tuple[Row, ...]] = {
    "Tiling": (
        Row(
            "dim",
            "dim",
            "",
            "honoured",
            "The tiles, as band, axis, outer tile and L0 tile for each axis. With it AKG neither "
            "searches nor retries, so tiles that do not fit end the compile.",
        ),
        Row(
            "SYMBOLIC_TILING",
            "bool",
            True,
            "honoured",
            "Which of the two tilers decides. Off, it is the classic search whose log tiling.log "
            "holds: the elementwise chain goes from a tile of 16,384 to 8,192, double buffered, "
            "and a matrix product from L1 tiles of 16 x 2 to 1 x 32. It is a variable of the "
            "compiler's process.",
        ),
        Row(
            "custom_tiling",
            "str",
            None,
            "honoured",
            "Constraints on the classic search, which alone reads them: turn SYMBOLIC_TILING off "
            'with it. Each is a name, band.axis and a number, as in "MAX 0.1 256, MIN 0.0 64". A '
            "broadcast with a sum went from tiles of 16 x 384 to 64 x 128 with MAX 0.1 128, to 64 "
            "x 128 with MIN 0.0 64, to 32 x 256 with CANDIDATE 0.1 256, to 4 x 768 with FACTOR 0.0 "
            "4 and to 64 x 128 with SET_PRIORITY 0.0 0; MOD and FORBID_ISOLATE changed nothing. "
            "SET_MEM_RATIO 0.9 lets tiles take that part of a memory instead of half of it: 16 x "
            "768.",
        ),
        Row(
            "FORCE_SYMBOLIC_TILING",
            "bool",
            False,
            "unsafe",
            "Keeps the newer tiler where it would give way to the classic search: a softmax then "
            "failed in PackStore. It is a variable of the compiler's process.",
        ),
        Row(
            "enable_symbolic_tiling",
            "bool",
            True,
            "overwritten",
            "AKG sets it from the variable SYMBOLIC_TILING; use that one.",
        ),
        Row(
            "max_num_retry_poly",
            "int",
            4,
            "honoured",
            "How often AKG tiles again after a memory overflow. It takes 1 or more; with 0 it "
            "crashes or never ends.",
            1,
        ),
        Row(
            "pragma_speedup_tiling",
            "bool",
            False,
            "honoured",
            "A quicker search: a softmax got other numbers in its log and the same code.",
        ),
        Row(
            "pragma_tilesize_is_var",
            "bool",
            False,
            "honoured",
            "Keeps tile sizes as variables for longer; code with a tail became a line shorter.",
        ),
    ),
    "Cores": (
        Row(
            "enable_multicore",
            "int",
            -1,
            "honoured",
            "How many cores to use: 0 for one, -1 for all 32. A number above 32 is taken as it is "
            "and makes more blocks than there are cores.",
            -1,
            tries=(0, 4, 8, 16, 24, 32),
        ),
        Row(
            "enable_atomic_add",
            "bool",
            False,
            "honoured",
            "Lets cores add into one result in memory: a sum over columns went from 12 to 32 "
            "cores. Kernels can also set it on a ReduceSum themselves.",
        ),
        Row(
            "multicore_loop_max_depth",
            "int",
            None,
            "honoured",
            "How many nested loops are spread over cores: with 1, a matrix product fell from 32 "
            "cores to 2.",
        ),
        Row(
            "multicore_loop_switch_hoist",
            "bool",
            True,
            "overwritten",
            "Moves conditions out of the loop that is spread over cores. Composite kernels always "
            "get it, unless they hold an UnsortedSegmentSum. Python kernels may turn it off, which "
            "lets the max pooling compile that otherwise dies of SIGSEGV.",
        ),
        Row(
            "eleminate_outmost_for_cond",
            "bool",
            False,
            "honoured",
            "Adds the pass PreProcess4Multicore, which takes conditions on the outermost loop "
            "away; no code changed. (The name is AKG's.)",
        ),
    ),
    "Buffers": (
        Row(
            "enable_double_buffer",
            "bool",
            True,
            "honoured",
            "Loads the next tile while this one is computed. Off, a matrix product got a K tile "
            "of 8 instead of 4, and code with tiles of its own 128 lines instead of 206. The newer "
            "tiler turns it off by itself for most vector kernels.",
            tries=(True, False),
        ),
        Row(
            "enable_quadruple_buffer",
            "bool",
            False,
            "honoured",
            "Double-buffers once more: the elementwise chain went from 43 to 64 lines of code, a "
            "matrix product from 98 to 142.",
        ),
        Row(
            "enable_compute_in_place",
            "bool",
            False,
            "honoured",
            "Lets a result reuse the buffer of its operand; a line or two of code less.",
        ),
        Row(
            "enable_remove_broadcast_copy",
            "bool",
            False,
            "honoured",
            "Leaves out the copy that a broadcast makes: softmax went from 164 to 149 lines.",
        ),
        Row(
            "enable_pre_storage_write_simplify",
            "bool",
            False,
            "honoured",
            "Adds AlgebraSimplify before storage is laid out; the code of tails changed a little.",
        ),
        Row(
            "enable_sink_allocate",
            "bool",
            True,
            "honoured",
            "Moves allocations inwards to where they are used (SinkAllocate); no code changed.",
        ),
    ),
    "Schedule": (
        Row(
            "pragma_disable_loop_fusion",
            "bool",
            False,
            "honoured",
            "Schedules each operation in loops of its own: the elementwise chain fell from 32 "
            "cores to 1, softmax and the matrix product failed.",
        ),
        Row(
            "pragma_enable_reschedule",
            "bool",
            True,
            "honoured",
            "Orders the statements within a tile. Off, the elementwise chain, softmax and the "
            "broadcast overflow UB.",
        ),
        Row(
            "pragma_reorder_schedule",
            "bool",
            False,
            "honoured",
            "Moves reduced loops inwards: a matrix product got its axes ko and ni exchanged, sums "
            "fell to one core, and softmax failed.",
        ),
        Row(
            "pragma_modshift",
            "bool",
            False,
            "honoured",
            "Fuses reductions by remainders and not by shifting: the second axis of a softmax on "
            "[256, 1000] got a tile of 200 instead of 3,000, and the code 496 lines.",
        ),
        Row(
            "pragma_outerband_need_split",
            "bool",
            False,
            "honoured",
            "Splits the outer band by operation; sums and the matrix product failed.",
        ),
        Row(
            "pragma_disable_schedule_shift",
            "bool",
            False,
            "honoured",
            "Forbids fusing loops by shifting them; softmax and the matrix product failed.",
        ),
        Row(
            "pragma_enable_schedule_max_constant",
            "bool",
            False,
            "honoured",
            "Limits the constants in a schedule; softmax and the matrix product failed.",
        ),
        Row(
            "pragma_enable_schedule_maximize_coincidence",
            "bool",
            False,
            "honoured",
            "Prefers parallel loops to fused ones: a broadcast with a sum was split into two bands "
            "on one core, and softmax failed.",
        ),
        Row(
            "enable_polytops",
            "str",
            "never",
            "honoured",
            'Which scheduler works: "always" takes PolyTOPS instead of isl; softmax failed with '
            "it, the others came out the same.",
        ),
        Row(
            "pragma_rmselfdep",
            "bool",
            True,
            "overwritten",
            "Drops dependences of a statement on itself, so that sums can be tiled. Composite "
            "kernels always get it, unless they multiply matrices. Python kernels may turn it off: "
            "a direct 3-D convolution was then tiled on five axes instead of eight.",
        ),
        Row(
            "pragma_force_rmselfdep",
            "bool",
            False,
            "unsafe",
            "The same whatever the statement does. A sum over columns went to 32 cores without "
            "atomic adds, so they overwrite each other.",
        ),
        Row(
            "pragma_set_all_coincident",
            "bool",
            False,
            "unsafe",
            "Declares every loop parallel, also those that are not; same effect on a sum.",
        ),
        Row(
            "pragma_keep_outer_band_order",
            "bool",
            False,
            "honoured",
            "Keeps the order of the outer loops as written; no kernel tried here changed, another "
            "sum was seen to change its number of cores.",
        ),
        Row(
            "enable_approximate_read",
            "bool",
            False,
            "unsafe",
            "Rounds the part of a tensor that is read up to a box. A matrix product with it aborts "
            "(isl: incompatible spaces).",
        ),
        Row(
            "enable_auto_inline",
            "bool",
            True,
            "overwritten",
            "Puts intermediate tensors into their users. Composite kernels have it off, unless "
            "they multiply matrices. Python kernels have it on and may turn it off.",
        ),
    ),
    "Loops and conditions": (
        Row(
            "enable_pre_poly_loop_partition",
            "bool",
            True,
            "honoured",
            "Splits loops at conditions before tiling (LoopPartitionCCE); no code changed.",
        ),
        Row(
            "enable_post_poly_loop_partition",
            "bool",
            True,
            "honoured",
            "Splits loops at conditions after tiling; the code of tails changed a little.",
        ),
        Row(
            "loop_partition_unroll",
            "bool",
            False,
            "honoured",
            "Unrolls loops of an extent that is not constant, twice; no code changed.",
        ),
        Row(
            "extent_to_cond",
            "bool",
            True,
            "honoured",
            "Turns extents that vary into conditions (ConvertExtentToCond); no code changed.",
        ),
        Row(
            "enable_convert_if",
            "bool",
            False,
            "honoured",
            "Turns conditions into selects: tails got shorter, a sum over columns longer, and the "
            "matrix product failed.",
        ),
        Row(
            "enable_invariant_hoist",
            "bool",
            True,
            "honoured",
            "Moves what a loop does not change out of it (InvariantHoist); no code changed.",
        ),
        Row(
            "enable_cover_protect_optimize",
            "bool",
            True,
            "honoured",
            "Leaves out needless protection of the elements beside a tail. Off, code with tails "
            "went from 206 to 257 lines, a transpose from 59 to 56.",
        ),
        Row(
            "remove_store_dependency",
            "bool",
            False,
            "unsafe",
            "Forgets that stores may touch the same block of 32 bytes: an unaligned transpose went "
            "from 1 core to 32, whose blocks overlap.",
        ),
    ),
    "Expressions": (
        Row(
            "enable_to_three_address",
            "bool",
            True,
            "honoured",
            "Breaks expressions into single operations. Off, softmax had 149 lines, not 164.",
        ),
        Row(
            "disable_half_to_float_sum_opt",
            "bool",
            False,
            "honoured",
            "Sums float16 in float16, which loses digits. Softmax fell into two bands on one core.",
        ),
        Row(
            "dead_code_elim",
            "bool",
            False,
            "honoured",
            "Adds DeadCodeElim; a sum over columns became four lines shorter.",
        ),
        Row("disable_cse", "bool", False, "honoured", "Leaves out StmtCSE; no code changed."),
        Row("disable_vn", "bool", False, "honoured", "Leaves out ValueNumbering; no code changed."),
        Row(
            "enable_rewrite_scalar_compute",
            "bool",
            False,
            "honoured",
            "Adds ScalarComputeRewrite; no code changed.",
        ),
        Row(
            "RewriteVarTensorIdx",
            "bool",
            False,
            "honoured",
            "Another treatment of indices that are read from a tensor. The voxel gather, wrong "
            "without it, then overflows UB in every attempt.",
        ),
    ),
    "Instructions": (
        Row(
            "enable_feature_library",
            "bool",
            False,
            "honoured",
            "Adds FeatureLibTransform, which knows ready-made patterns; no code changed.",
        ),
        Row(
            "enable_feature_library_pre_poly",
            "bool",
            False,
            "honoured",
            "The same before tiling; no code changed.",
        ),
        Row(
            "enable_hoist_insn",
            "bool",
            True,
            "honoured",
            "Moves instructions out of loops (HoistInsn); no code changed.",
        ),
        Row(
            "enable_stride_kernel_op",
            "bool",
            True,
            "honoured",
            "Runs StrideKernelOp, for convolutions with a stride; no code changed.",
        ),
        Row(
            "enable_dma_sink",
            "bool",
            False,
            "honoured",
            "Moves copies to where their data are used (DMASink); no code changed.",
        ),
    ),
    "Cube": (
        Row(
            "bypassL1",
            "int",
            0,
            "honoured",
            "2 loads the left matrix into L0A without L1. With 1 the right one goes to L0B, which "
            'failed ("load_gm_to_cb does not support transpose").',
            0,
            2,
        ),
        Row(
            "bypass",
            "int",
            0,
            "honoured",
            "The same, written into every MatMul of a composite kernel.",
            0,
            2,
        ),
        Row(
            "coarsenImg2Col",
            "bool",
            False,
            "honoured",
            "CoarsenImg2Col instead of LoopNormlize: a matrix product became two lines shorter.",
        ),
    ),
    "Names": (
        Row(
            "kernel_name",
            "str",
            None,
            "honoured",
            "Another name for a composite kernel, from lowering on. Python kernels keep theirs.",
        ),
    ),
    "Read, and seen to do nothing": tuple(
        Row(name, "bool", None, "ignored", f"By its name it {does}; nothing was seen to change.")
        for name, does in (
            ("enable_bisect_optimize", "sums by halving"),
            ("enable_bk_optimize", "avoids conflicts of memory banks"),
            ("enable_common_subexpr_elim", "computes common expressions once"),
            ("enable_elementwise_flatten", "folds the axes of elementwise operations together"),
            ("enable_hoist_cond_write", "moves conditional stores out of loops"),
            ("enable_mind_trick", "takes schedules written beforehand"),
            ("is_csr", "is for sparse kernels"),
            ("is_dynamic", "is for kernels of variable shape"),
            ("pragma_allow_tail_tiling", "allows tiles that leave a tail"),
            ("pragma_analyze_reuse_buffer", "lets the tiler count on reused buffers"),
            ("pragma_checkcoincident", "checks which loops are parallel"),
            ("pragma_disable_group", "schedules statements one by one"),
            ("pragma_disable_loop_reversal", "forbids loops that run backwards"),
            ("pragma_disable_whole_component", "schedules components in parts"),
            ("pragma_opt_for_dsa", "suits the schedule to chips such as this"),
            ("pragma_sink_last_axis", "moves the last axis inwards"),
        )
    )
    + tuple(
        Row(name, "int", None, "ignored", f"By its name it {does}; nothing was seen to change.")
        for name, does in (
            ("enable_hoist_allocate", "moves allocations out of loops"),
            ("max_unroll_loop", "limits how far loops are unrolled"),
            ("merge_outer_loop_for_multicore", "merges outer loops before they are spread"),
            ("prune_tuning_space_level", "shortens AKG's list of tilings, which no compile makes"),
        )
    ),
    "Never seen to be read": tuple(
        Row(name, "str", None, "ignored", "AKG took any value of any type for it.")
        for name in (
            "alloc_bits",
            "enable_algebra_simplify",
            "enable_divide_var",
            "enable_fix_loop_extent",
            "enable_isolate_loop",
            "enable_isolate_min_max",
            "enable_scalar_align",
            "enable_thread_group",
            "enable_transfer_buffer",
            "enable_unroll_loop",
            "promote_common_expr",
            "promote_const_expr",
            "ub_ratio",
        )
    ),
}
