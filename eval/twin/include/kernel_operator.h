// The device API of the twin: what a kernel includes. Declarations only; loops and checks are in the precompiled runtime.
#ifndef TWIN_KERNEL_OPERATOR_H
#define TWIN_KERNEL_OPERATOR_H

#include "twin/macros.h"
#include "twin/types.h"
#include "twin/params.h"
#include "twin/tensor.h"
#include "twin/tque.h"
#include "twin/tpipe.h"
#include "twin/sync.h"
#include "twin/block_order.h"
#include "twin/local_allocator.h"
#include "twin/list_tensor.h"
#include "twin/scalar_access.h"
#include "twin/soc.h"
#include "twin/data_copy.h"
#include "twin/cube_matrix.h"
#include "twin/vec_unary.h"
#include "twin/vec_binary.h"
#include "twin/vec_scalar.h"
#include "twin/vec_fused.h"
#include "twin/vec_cast.h"
#include "twin/vec_fused_cast.h"
#include "twin/vec_fill.h"
#include "twin/vec_compare.h"
#include "twin/vec_reduce.h"
#include "twin/vec_gather.h"
#include "twin/vec_transpose.h"
#include "twin/vec_sort.h"
#include "twin/intrinsics.h"
#include "twin/intrinsics_vector.h"
#include "twin/math_unary.h"
#include "twin/math_rounding.h"
#include "twin/math_binary.h"
#include "twin/math_composed.h"
#include "twin/softmax.h"
#include "twin/norm.h"
#include "twin/norm_grad.h"
#include "twin/sort.h"
#include "twin/reduce_axes.h"
#include "twin/glu.h"
#include "twin/dequant.h"
#include "twin/select_bytes.h"

// The namespace of the earliest releases.
namespace tik2 = AscendC;

#endif
