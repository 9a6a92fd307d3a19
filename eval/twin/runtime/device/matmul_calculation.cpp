// Calculations of Matmul objects, up to what each leaves behind.
#include "matmul_calculation.h"

#include <algorithm>
#include <cstring>

namespace twin {

namespace {

MatrixView ViewOf(const MatmulOperandKind& kind, const MatmulInput& input, const MatmulCopy& copy, int32_t rows,
                  int32_t columns) {
    MatrixView view;
    view.type = kind.type;
    view.transposed = input.transposed;
    view.columns = kind.format == CubeFormat::NZ && input.where != MatmulInput::kFetched;
    view.height = static_cast<uint32_t>(input.transposed ? columns : rows);
    view.width = static_cast<uint32_t>(input.transposed ? rows : columns);
    view.scalar = input.where == MatmulInput::kScalar;
    view.value = static_cast<float>(input.scalar);
    view.global = input.where == MatmulInput::kGlobal;
    view.data = view.global ? input.global.data : copy.bytes.data();
    view.known = view.global ? nullptr : copy.known.data();
    return view;
}

/// Whether C's base block at a range is calculated (MatmulPolicy.md).
bool IsCalculated(const MatmulState& s, const MatmulRange& tile) {
    const uint32_t down = tile.row / static_cast<uint32_t>(s.tiling.baseM),
                   across = tile.column / static_cast<uint32_t>(s.tiling.baseN);
    if (s.kind->part == MatmulPart::kUpper) return down <= across;
    return s.kind->part == MatmulPart::kAll || down >= across;
}

std::vector<uint64_t> ScalesOf(MatmulState& s) {
    if (s.scales.where == MatmulInput::kUnset)
        return s.scaleSet ? std::vector<uint64_t>{s.scale} : std::vector<uint64_t>{};
    std::vector<uint64_t> scales(static_cast<size_t>(s.n));
    const uint64_t bytes = scales.size() * 8;
    if (s.scales.where == MatmulInput::kGlobal) {
        GmRead(GmCheck(s.scales.global.data, bytes, 8, Access::kRead, "quantTensor"), bytes);
        std::memcpy(scales.data(), s.scales.global.data, bytes);
        return scales;
    }
    const auto& copy = s.scratch.get().operands[static_cast<int>(MatmulOperand::kScales)].bytes;
    if (copy.size() < bytes)
        Broken("matmul-shape", "",
               Text("quantTensor of %s has %zu bytes for %d columns", core().account.api, copy.size(), s.n),
               "give a scale of 8 bytes for each column");
    std::memcpy(scales.data(), copy.data(), bytes);
    return scales;
}

void AddInFlight(const std::vector<MatrixArea>& areas, bool written, uint32_t number) {
    for (const MatrixArea& a : areas)
        core().matmul.inFlight.push_back({a.base, a.rowBytes, a.stride, a.rows, written, number});
}

/// The call goes to the cube core behind the copies out of UB, so when its answer is there, these are done.
void AfterAnswer() {
    const Clock done = Snapshot(PIPE_MTE3);
    for (int p = 0; p < kPipes; ++p) Join(static_cast<pipe_t>(p), done);
}

}  // namespace

void RequireReady(const MatmulState& s) {
    if (s.tiled) return;
    Broken("matmul-init", "",
           Text("%s of a Matmul object that %s", core().account.api,
                s.registered ? "has no tiling" : "was not initialised"),
           s.registered ? "give REGIST_MATMUL_OBJ the tiling behind the object, or call Init with it"
                        : "call REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), object, &tiling) first");
}

void RequireInputs(const MatmulState& s) {
    RequireReady(s);
    const bool hasA = s.a.where != MatmulInput::kUnset, hasB = s.b.where != MatmulInput::kUnset;
    if (!hasA || !hasB || !s.fresh) {
        Broken("matmul-order", "",
               Text("%s without %s before it", core().account.api,
                    hasA && hasB ? "a new SetTensorA or SetTensorB"
                    : hasA       ? "SetTensorB"
                                 : "SetTensorA"),
               "set A and B, and set at least one of them again before each calculation");
    }
    if (s.biasOn && s.bias.where == MatmulInput::kUnset) {
        Broken("matmul-order", "", Text("%s with isBias in the tiling and no SetBias", core().account.api),
               "call SetBias, or DisableBias when there is none");
    }
    const bool narrow = s.kind->c.type == Type::kInt8 || (IsNarrow(s.kind->a.type) && s.kind->c.type == Type::kHalf);
    if (narrow && !s.scaleSet) {
        Broken("matmul-scale", "",
               Text("%s gives %s and no scale is set", core().account.api, TypeName(s.kind->c.type)),
               "call SetQuantScalar or SetQuantVector before");
    }
}

MatmulProduct ProductOf(MatmulState& s) {
    const bool globalA = s.a.where == MatmulInput::kGlobal, globalB = s.b.where == MatmulInput::kGlobal;
    MatmulProduct p;
    p.m = static_cast<uint32_t>(s.m);
    p.n = static_cast<uint32_t>(s.n);
    p.k = static_cast<uint32_t>(s.k);
    const MatmulCopy* copies = s.scratch.get().operands;
    p.left = ViewOf(s.kind->a, s.a, copies[0], globalA ? s.orgM : s.m, globalA ? s.orgKa : s.k);
    p.right = ViewOf(s.kind->b, s.b, copies[1], globalB ? s.orgKb : s.k, globalB ? s.orgN : s.n);
    p.hasBias = s.biasOn;
    if (s.biasOn) p.bias = ViewOf(s.kind->bias, s.bias, copies[2], 1, s.n);
    p.bias.columns = false;
    return p;
}

MatmulRange TileOf(const MatmulState& s, uint32_t tile) {
    const uint32_t down = Tiles(s.m, s.tiling.baseM), across = Tiles(s.n, s.tiling.baseN);
    const bool rowsFirst = s.tiling.iterateOrder == 0;
    const uint32_t row = (rowsFirst ? tile % down : tile / across) * static_cast<uint32_t>(s.tiling.baseM);
    const uint32_t column = (rowsFirst ? tile / down : tile % across) * static_cast<uint32_t>(s.tiling.baseN);
    return {row, std::min(static_cast<uint32_t>(s.tiling.baseM), static_cast<uint32_t>(s.m) - row), column,
            std::min(static_cast<uint32_t>(s.tiling.baseN), static_cast<uint32_t>(s.n) - column)};
}

MatmulTarget TargetOf(MatmulState& s, const MatmulResult& result, const MatmulRange& tile) {
    const MatmulKind& k = *s.kind;
    uint64_t stride = static_cast<uint64_t>(s.orgKc != 0 ? s.orgKc : s.orgN);
    if (k.c.format == CubeFormat::NZ) stride = Up(static_cast<uint32_t>(s.orgM), 16);
    if (result.sequential) stride = k.c.format == CubeFormat::NZ ? Up(tile.rows, 16) : tile.columns;
    if (k.c.format == CubeFormat::ND_ALIGN) stride = Up(static_cast<uint32_t>(stride), 32 / TypeBytes(k.c.type));
    if (!result.sequential && k.c.format != CubeFormat::NZ && stride < static_cast<uint64_t>(s.n)) {
        Broken("matmul-shape", "",
               Text("%s writes %d columns into rows of %llu elements", core().account.api, s.n,
                    static_cast<unsigned long long>(stride)),
               "give SetOrgShape the N (or Kc) that the rows of C really have");
    }
    const bool apart = result.sequential;
    return {&result,
            k.c.type,
            IsNarrow(k.a.type) ? Type::kInt32 : Type::kFloat,
            k.c.format,
            stride,
            apart ? tile.row : 0,
            apart ? tile.column : 0,
            0,
            k.relu,
            ScalesOf(s),
            k.channelSplit};
}

uint32_t Start(const MatmulProduct& p, const MatmulTarget& target, const MatmulRange& range, bool sync) {
    Core& c = core();
    const uint32_t number = ++c.matmul.calculations;
    if (sync) {
        c.matmul.inFlight.clear();
        return number;
    }
    if (p.left.global)
        AddInFlight(AreasOf(p.left, p.left.transposed ? MatrixWindow{0, p.k, 0, p.m} : MatrixWindow{0, p.m, 0, p.k}),
                    false, number);
    if (p.right.global)
        AddInFlight(AreasOf(p.right, p.right.transposed ? MatrixWindow{0, p.n, 0, p.k} : MatrixWindow{0, p.k, 0, p.n}),
                    false, number);
    AddInFlight(AreasOf(target, range), true, number);
    return number;
}

void Calculate(MatmulState& s, const MatmulProduct& p, const MatmulTarget& target) {
    Core& c = core();
    c.matmul.calculating = true;
    CheckOperands(s, p);
    ToTarget sink(target);
    if (s.kind->part == MatmulPart::kAll) Multiply(p, Whole(p), nullptr, sink);
    for (uint32_t i = 0; s.kind->part != MatmulPart::kAll && i < TileCount(s); ++i)
        if (IsCalculated(s, TileOf(s, i))) Multiply(p, TileOf(s, i), nullptr, sink);
    c.matmul.calculating = false;
}

void AfterCopyToLocal(const MatmulResult& result) {
    if (result.local != nullptr) Join(PIPE_V, Snapshot(PIPE_MTE2));
}

void BeginResult(const char* api, const MatmulResult& result, bool sync) {
    Begin(api, PIPE_S);
    if (sync && !core().cube) AfterAnswer();
    if (result.local == nullptr) return;
    if (SpaceOf(result.local->position) != kUb || core().cube)
        Broken("not-covered", BufferName(*result.local), Text("%s into %s", api, PositionName(result.local->position)),
               "write C to GM or UB");
    Begin(api, PIPE_MTE2);
    CheckAligned(*result.local, "C");
}

void CheckAtomic(const MatmulResult& result) {
    if (result.atomic > 3)
        Broken("matmul-shape", "", Text("enAtomic %u of %s is outside 0 to 3", result.atomic, core().account.api),
               "0 writes, 1 adds, 2 takes the maximum, 3 the minimum");
    if (result.atomic != 0 && result.local != nullptr)
        Broken("matmul-shape", "", Text("%s with enAtomic into UB", core().account.api), "atomic results go to GM");
}

bool IsOtherMaster(const MatmulState& s) { return s.kind->bothShared && !core().cube && core().sub != 0; }

}  // namespace twin
