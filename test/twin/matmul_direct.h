// Objects of the high-level Matmul as the runtime has them, and a small tiling.
#ifndef TWIN_TEST_MATMUL_DIRECT_H
#define TWIN_TEST_MATMUL_DIRECT_H

#include "expect.h"
#include "lib/matmul_intf.h"

using namespace AscendC;
using twin::MatmulInput;
using twin::MatmulOperand;
using twin::Type;

inline TCubeTiling Small() {
    TCubeTiling t{};
    t.usedCoreNum = t.depthA1 = t.depthB1 = t.stepM = t.stepN = t.stepKa = t.stepKb = t.dbL0A = t.dbL0B = t.dbL0C = 1;
    t.M = t.N = t.Ka = t.Kb = t.singleCoreM = t.singleCoreN = t.singleCoreK = t.baseM = t.baseN = t.baseK = 16;
    return t;
}

inline twin::MatmulKind KindOf(Type in, Type out, bool mayTranspose = true) {
    twin::MatmulKind kind{};
    kind.a = kind.b = {in, TPosition::GM, CubeFormat::ND, mayTranspose, LayoutMode::NONE};
    kind.c = {out, TPosition::GM, CubeFormat::ND, false, LayoutMode::NONE};
    kind.bias = {in == Type::kInt8 ? Type::kInt32 : Type::kFloat, TPosition::GM, CubeFormat::ND, false,
                 LayoutMode::NONE};
    std::memset(&kind.constants, -1, sizeof kind.constants);
    return kind;
}

inline MatmulInput InGm(const GlobalTensor<half>& gm, bool transposed = false) {
    MatmulInput input;
    input.where = MatmulInput::kGlobal;
    input.global = gm;
    input.transposed = transposed;
    return input;
}

#endif
