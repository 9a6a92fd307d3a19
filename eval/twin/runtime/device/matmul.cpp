// The calls of the high-level Matmul: what an object holds, in which order it may be called, and what a calculation
// touches.
#include "matmul_calculation.h"

#include <algorithm>
#include <cstring>

namespace twin {

namespace {

/// Values stay with the object until GetTensorC.
struct ToTile : MatmulSink {
    ToTile(MatmulScratch& to, const MatmulRange& all) : scratch(to), tile(all) {}
    MatmulScratch& scratch;
    const MatmulRange tile;
    void take(const MatmulRange& range, const uint8_t* values, const uint8_t* rows, const uint8_t* columns) override {
        const uint32_t row = range.row - tile.row, column = range.column - tile.column;
        for (uint32_t r = 0; r < range.rows; ++r)
            std::memcpy(scratch.tile.data() + 4ull * (static_cast<uint64_t>(row + r) * tile.columns + column),
                        values + 4ull * r * range.columns, 4ull * range.columns);
        for (uint32_t r = 0; r < range.rows; ++r) scratch.unknownRows[row + r] |= rows[r];
        for (uint32_t c = 0; c < range.columns; ++c) scratch.unknownColumns[column + c] |= columns[c];
    }
};

/// An asynchronous Iterate: every tile by itself, one after another.
void TilesToWorkspace(MatmulState& s) {
    if (s.workspace.data == nullptr)
        Broken("matmul-order", "", "Iterate<false> without SetWorkspace",
               "give the object memory in GM for its tiles, before Iterate");
    s.fetched = 0;
    const MatmulProduct p = ProductOf(s);
    const MatmulResult cached{&s.workspace, nullptr, 0, true};
    CheckOperands(s, p);
    for (uint32_t i = 0; i < TileCount(s); ++i) {
        const MatmulRange tile = TileOf(s, i);
        MatmulTarget target = TargetOf(s, cached, tile);
        target.offset = static_cast<uint64_t>(i) * s.tiling.baseM * s.tiling.baseN;
        ToTarget sink(target);
        Multiply(p, tile, nullptr, sink);
    }
}

void TileToScratch(MatmulState& s, const MatmulRange& tile, bool partialSum) {
    MatmulProduct p = ProductOf(s);
    CheckOperands(s, p);
    if (s.kind->partialOutput) {
        const uint32_t base = static_cast<uint32_t>(s.tiling.baseK),
                       first = static_cast<uint32_t>(s.tile) % Slices(s) * base;
        CutAlongK(p, first, std::min(base, p.k - first));
    }
    if (partialSum && TileCount(s) != 1)
        Broken("matmul-shape", "", "Iterate with enPartialSum and more than one tile",
               "add up in L0C with singleCoreM == baseM and singleCoreN == baseN");
    MatmulScratch& scratch = s.scratch.get();
    const size_t bytes = 4ull * tile.rows * tile.columns;
    const bool goesOn = partialSum && scratch.tile.size() == bytes;
    if (!goesOn) {
        scratch.unknownRows.assign(tile.rows, 0);
        scratch.unknownColumns.assign(tile.columns, 0);
    }
    const std::vector<uint8_t> before = goesOn ? scratch.tile : std::vector<uint8_t>{};
    scratch.tile.resize(bytes);
    ToTile sink(scratch, tile);
    Multiply(p, tile, goesOn ? before.data() : nullptr, sink);
}

/// Into L0C memory of the kernel's: columns of 16, for Fixpipe to fetch.
void ScratchToL0c(MatmulState& s, const Local& result, const MatmulRange& tile) {
    Core& c = core();
    if (!c.cube || SpaceOf(result.position) != kL0c)
        Broken("wrong-position", BufferName(result), Text("Iterate into %s", PositionName(result.position)),
               "on the cube core alone, pass a tensor in CO1");
    Begin("Iterate", PIPE_M);
    CheckAligned(result, "localCmatrix");
    const MatmulScratch& scratch = s.scratch.get();
    const uint32_t high = Up(tile.rows, 16);
    const uint32_t to = Touch(result, "localCmatrix", 0, static_cast<uint64_t>(high) * Up(tile.columns, 16) * 4, PIPE_M,
                              Access::kWrite);
    for (uint32_t m = 0; m < tile.rows; ++m) {
        for (uint32_t n = 0; n < tile.columns; ++n) {
            const uint32_t at = to + (n / 16 * high * 16 + m * 16 + n % 16) * 4;
            std::memcpy(c.memory.ub + at, scratch.tile.data() + 4ull * (static_cast<uint64_t>(m) * tile.columns + n),
                        4);
            Define(at, 4, scratch.unknownRows[m] == 0 && scratch.unknownColumns[n] == 0);
        }
    }
}

}  // namespace

bool MatmulIterate(MatmulState& s, bool sync, bool partialSum, const Local* result) {
    if (Serves()) return false;
    Begin("Iterate", PIPE_S);
    RequireReady(s);
    if (s.fresh) s.tile = -1;
    if (s.tile < 0) RequireInputs(s);
    if (s.kind->part != MatmulPart::kAll || s.kind->bothShared || s.kind->dualMaster ||
        (s.kind->partialOutput && !sync)) {
        Broken("not-covered", "",
               "Iterate of a Matmul with a triangular policy, with IBSHARE of A and B, with enableMixDualMaster, or "
               "asynchronous with isPartialOutput",
               "call IterateAll");
    }
    if (static_cast<uint32_t>(s.tile + 1) >= TileCount(s) * Slices(s)) return false;
    ++s.tile;
    s.fresh = s.pending = false;
    s.async = !sync;
    core().matmul.calculating = true;
    if (sync) TileToScratch(s, TileOf(s, static_cast<uint32_t>(s.tile) / Slices(s)), partialSum);
    else if (s.tile == 0) TilesToWorkspace(s);
    if (result != nullptr) ScratchToL0c(s, *result, TileOf(s, static_cast<uint32_t>(s.tile) / Slices(s)));
    core().matmul.calculating = false;
    return true;
}

void MatmulGet(MatmulState& s, bool, const MatmulResult& result) {
    if (Serves()) return;
    BeginResult("GetTensorC", result, !s.async);
    RequireReady(s);
    CheckAtomic(result);
    if (s.tile < 0 || s.fresh)
        Broken("matmul-order", "", "GetTensorC without Iterate before it",
               "call Iterate, then GetTensorC for its tile");
    MatmulScratch& scratch = s.scratch.get();
    if (s.async) {
        if (result.local == nullptr)
            Broken("matmul-order", "", "GetTensorC to GM of an asynchronous Iterate, whose tiles are in the workspace",
                   "take them from there with GetTensorC<false>() or into UB");
        const Global from = MatmulGetCached(s);
        const uint64_t bytes = result.local->bytes / kBlockBytes * kBlockBytes;
        GmRead(GmCheck(from.data, bytes, TypeBytes(s.kind->c.type), Access::kRead, "the tile"), bytes);
        const uint32_t at = Touch(*result.local, "C", 0, bytes, PIPE_MTE2, Access::kWrite);
        std::memcpy(core().memory.ub + at, from.data, bytes);
        Define(at, bytes);
        return AfterCopyToLocal(result);
    }
    const MatmulRange tile = TileOf(s, static_cast<uint32_t>(s.tile) / Slices(s));
    const MatmulTarget target = TargetOf(s, result, tile);
    core().matmul.calculating = true;
    Store(target, tile, scratch.tile.data(), scratch.unknownRows.data(), scratch.unknownColumns.data());
    core().matmul.calculating = false;
    core().matmul.inFlight.clear();
    AfterCopyToLocal(result);
}

Global MatmulGetCached(MatmulState& s) {
    if (Serves()) return {};
    Begin("GetTensorC", PIPE_S);
    RequireReady(s);
    if (!s.async || s.tile < 0 || s.fetched >= TileCount(s))
        Broken("matmul-order", "", "GetTensorC out of the workspace, where no tile of an asynchronous Iterate is left",
               "call Iterate<false>, then GetTensorC<false> once for each tile");
    const uint64_t elements = static_cast<uint64_t>(s.tiling.baseM) * s.tiling.baseN;
    return {s.workspace.data + s.fetched++ * elements * TypeBytes(s.kind->c.type), elements};
}

void MatmulIterateAll(MatmulState& s, bool sync, const MatmulResult& result, bool announced, bool fake) {
    if (Serves()) return;
    BeginResult("IterateAll", result, sync);
    RequireInputs(s);
    CheckAtomic(result);
    s.fresh = s.pending = false;
    s.tile = -1;
    const MatmulProduct p = ProductOf(s);
    if (result.sequential && TileCount(s) != 1)
        Broken("not-covered", "", "IterateAll with enSequentialWrite and more than one tile",
               "write C in its own rows, or take tiles with Iterate and GetTensorC");
    const MatmulTarget target = TargetOf(s, result, Whole(p));
    if (s.kind->partialOutput)
        Broken("not-covered", "", "IterateAll of a Matmul with isPartialOutput",
               "take tiles with Iterate and GetTensorC");
    if (s.kind->bothShared && result.global == nullptr)
        Broken("matmul-shape", "", "IterateAll into UB with IBSHARE of A and B", "write C to GM");
    if (!fake && !IsOtherMaster(s)) Calculate(s, p, target);
    const uint32_t number = Start(p, target, Whole(p), sync);
    if (!sync && announced) {
        s.scratch.get().announced.push_back(number);
        ++core().matmul.announced;
    }
    AfterCopyToLocal(result);
}

void MatmulWait(const char* api, MatmulState& s) {
    if (Serves()) return;
    Begin(api, PIPE_S);
    auto& announced = s.scratch.get().announced;
    if (announced.empty()) {
        Broken("wait-without-set", "",
               Text("%s and no calculation of the object that was started asynchronously with the promise to wait; on "
                    "the device it would wait for ever",
                    api),
               "start it with IterateAll<false>(gm, 0, false, true), and wait once for each");
    }
    Core& c = core();
    const uint32_t number = announced.front();
    announced.pop_front();
    --c.matmul.announced;
    const auto done = [&](const InFlight& area) { return area.number <= number; };
    c.matmul.inFlight.erase(std::remove_if(c.matmul.inFlight.begin(), c.matmul.inFlight.end(), done),
                            c.matmul.inFlight.end());
}

void MatmulIterateNBatch(MatmulState& s, bool sync, uint32_t loops, const MatmulBatch& batch, bool sequential,
                         bool announced) {
    if (Serves()) return;
    Begin("IterateNBatch", PIPE_S);
    RequireReady(s);
    if (s.workspace.data == nullptr)
        Broken("matmul-order", "", "IterateNBatch without SetWorkspace",
               "give the object memory in GM for its results");
    if (batch.left != batch.right)
        Broken("not-covered", "", Text("IterateNBatch of %u and %u matrices", batch.left, batch.right),
               "use the same number");
    const MatmulResult result{&s.workspace, nullptr, 0, sequential};
    MatmulIterateBatch(s, sync, result, {batch.left * loops, batch.right * loops, batch.leftStride, batch.rightStride},
                       announced);
}

void MatmulIterateBatch(MatmulState& s, bool sync, const MatmulResult& result, const MatmulBatch& batch,
                        bool announced) {
    if (Serves()) return;
    BeginResult("IterateBatch", result, sync);
    RequireInputs(s);
    CheckAtomic(result);
    for (const MatmulOperandKind* kind : {&s.kind->a, &s.kind->b, &s.kind->c})
        if (kind->layout == LayoutMode::NONE || kind->format == CubeFormat::NZ)
            Broken("not-covered", "", "IterateBatch of matrices without a layout, or in NZ",
                   "give MatmulType a LayoutMode");
    if (s.a.where != MatmulInput::kGlobal || s.b.where != MatmulInput::kGlobal || s.kind->ownCopies)
        Broken("not-covered", "", "IterateBatch of matrices in local memory, or with copies of the kernel's own",
               "call IterateAll for each matrix");
    if (batch.left == 0 || batch.right == 0 || (batch.left != batch.right && std::min(batch.left, batch.right) != 1)) {
        Broken("not-covered", "", Text("IterateBatch of %u and %u matrices", batch.left, batch.right),
               "use the same number, or one matrix for all");
    }
    s.fresh = s.pending = false;
    const uint32_t many = std::max(batch.left, batch.right);
    MatmulProduct p = ProductOf(s);
    MatmulTarget target = TargetOf(s, result, Whole(p));
    const TCubeTiling& t = s.tiling;
    const Batches inA =
        BatchesOf(s.kind->a.layout, {t.ALayoutInfoB, t.ALayoutInfoS, t.ALayoutInfoN, t.ALayoutInfoG, t.ALayoutInfoD},
                  p.left.height, p.left.width, batch.leftStride);
    const Batches inB =
        BatchesOf(s.kind->b.layout, {t.BLayoutInfoB, t.BLayoutInfoS, t.BLayoutInfoN, t.BLayoutInfoG, t.BLayoutInfoD},
                  p.right.height, p.right.width, batch.rightStride);
    const Batches inC =
        BatchesOf(s.kind->c.layout, {t.CLayoutInfoB, t.CLayoutInfoS1, t.CLayoutInfoN, t.CLayoutInfoG, t.CLayoutInfoS2},
                  static_cast<uint64_t>(s.m), target.stride, 0);
    p.left.width = static_cast<uint32_t>(inA.row);
    p.right.width = static_cast<uint32_t>(inB.row);
    target.stride = inC.row;
    const uint8_t *left = p.left.data, *right = p.right.data, *bias = p.bias.data;
    for (uint32_t i = 0; i < many; ++i) {
        p.left.data = left + BytesOf(p.left.type, inA.Start(i % batch.left));
        p.right.data = right + BytesOf(p.right.type, inB.Start(i % batch.right));
        if (p.hasBias && p.bias.global && s.kind->biasBatch)
            p.bias.data = bias + static_cast<uint64_t>(i) * p.n * TypeBytes(p.bias.type);
        target.offset = inC.Start(i);
        Calculate(s, p, target);
        const uint32_t number = Start(p, target, Whole(p), sync);
        if (!sync && announced && i + 1 == many) {
            s.scratch.get().announced.push_back(number);
            ++core().matmul.announced;
        }
    }
    AfterCopyToLocal(result);
}

}  // namespace twin
