// Copies between global memory and the unified buffer.
#include <algorithm>
#include <cstring>

#include "core.h"
#include "cube.h"
#include "numbers.h"

namespace twin {

namespace {

const std::string kUnalignedFix =
    "DataCopy moves whole 32-byte blocks and drops the rest: use DataCopyPad for what is left, or pad the tile";

/// What a copy moves: the device rounds the amount down to 32 bytes, so that a tail is lost without a word
/// (DataCopy.md).
uint64_t WholeBlocks(uint64_t count, uint32_t elementBytes, const Local& t) {
    const uint64_t bytes = count * elementBytes, moved = bytes / kBlockBytes * kBlockBytes;
    if (moved == bytes) return bytes;
    Suspect("unaligned-copy", BufferName(t),
            {"unaligned-copy",
             "{api} of {count} elements is {bytes} bytes, no multiple of 32; the device would move {moved}",
             {core().account.api, count, bytes, moved}},
            kUnalignedFix);
    return moved;
}

/// Of DataCopyParams and of DataCopyPad's parameters alike (DataCopy.md, DataCopyPad.md).
void CheckBlockCount(uint32_t blocks) {
    if (blocks <= 4095) return;
    Broken("copy-params", "",
           {"too-many-blocks", "blockCount {given} of {api} is outside 0 to 4095", {blocks, core().account.api}},
           "split the copy");
}

/// blockLen counts bytes in DataCopyPad and blocks of 32 bytes in DataCopy; 2^21 - 1 is the most (DataCopyPad.md).
void CheckPadShape(const CopyShape& shape, uint32_t elementBytes, const Local& t) {
    CheckBlockCount(shape.blocks);
    if (shape.bytes > 2097151) {
        Broken("copy-params", BufferName(t), Text("blockLen %u of DataCopyPad is above 2097151 bytes", shape.bytes),
               "split the copy");
    }
    if (shape.bytes % elementBytes != 0) {
        Broken("copy-params", BufferName(t),
               {"length-in-elements",
                "blockLen {given} of DataCopyPad is no multiple of the element size {size}; it counts bytes",
                {shape.bytes, elementBytes}},
               "give blockLen as elements times sizeof(T)");
    }
}

/// Copies one stretch of GM into the core and returns how much of it is the tensor's. What lies behind the tensor
/// arrives as a value that nobody wrote, another one in the reverse order of blocks.
uint64_t FetchStretch(const Local& dst, uint32_t at, const uint8_t* from, uint64_t bytes, uint32_t elementBytes) {
    Core& c = core();
    const GmPlace place = GmCheck(from, bytes, elementBytes, Access::kFetch, "src");
    GmRead(place, bytes);
    const uint64_t present = place.present(bytes);
    std::memcpy(c.memory.ub + at, from, present);
    Define(at, present);
    if (present == bytes) return bytes;
    const auto behind = static_cast<uint32_t>(at + present);
    std::memset(c.memory.ub + behind, launch().spec->reverseOrder ? 0x3d : 0xff, bytes - present);
    Define(behind, bytes - present, false);
    std::string& note = c.tpipe.buffers[dst.buffer].unwritten;
    if (note.empty())
        note = Text("%s brought bytes from behind the end of '%s'", c.account.api, place.state->arg->name.c_str());
    return present;
}

/// Writes `bytes` from UB to one stretch of GM, adding when atomic writes are on.
void StoreStretch(const GmPlace& place, const uint8_t* from, uint64_t bytes, const Local& src, uint32_t ubOffset) {
    Core& c = core();
    uint8_t* to = place.state->arg->data + place.offset;
    bytes = place.present(bytes);
    GmWrite(place, bytes, from, c.registers.atomicOp != 0 ? Way::kAtomic : Way::kPast);
    NoteStore(c, place, bytes, PIPE_MTE3);
    if (c.registers.atomicOp == 0) {
        std::memcpy(to, from, bytes);
    } else {
        AtomicInto(c.registers.atomicType, c.registers.atomicOp, to, from, bytes / TypeBytes(c.registers.atomicType));
    }
    if (AllDefined(ubOffset, bytes)) return;
    const Buffer& buffer = c.tpipe.buffers[src.buffer];
    const auto* at = static_cast<const uint8_t*>(std::memchr(c.memory.defined.data() + ubOffset, 0, bytes));
    const auto where = static_cast<uint32_t>(at - c.memory.defined.data());
    const GmPlace first{place.state, place.offset + (where - ubOffset)};
    const uint64_t behind = bytes - (where - ubOffset);
    const uint32_t byte = where - buffer.begin;
    if (!buffer.unwritten.empty()) return GmUndefined(first, behind, buffer.unwritten);
    GmUndefined(
        first, behind,
        Text("%s copied byte %u of %s, which nothing had written", c.account.api, byte, BufferName(src).c_str()), byte);
}

void CheckAtomic(uint32_t elementBytes, Type type) {
    const Core& c = core();
    if (c.registers.atomicOp == 0 || c.registers.atomicType == type ||
        TypeBytes(c.registers.atomicType) == elementBytes)
        return;
    Broken("atomic-type", "",
           {"atomic-type",
            "atomic writes are set for {set} and the copy is of {copied}",
            {TypeName(c.registers.atomicType), TypeName(type)}},
           "call SetAtomicAdd with the type that is copied");
}

}  // namespace

void CopyIn(const Local& dst, const Global& src, uint32_t elementBytes, uint64_t count) {
    if (!OnThisCore(dst)) return;
    Begin("DataCopy", PIPE_MTE2);
    const uint64_t bytes = WholeBlocks(count, elementBytes, dst);
    CheckAligned(dst, "dst");
    if (bytes == 0) return;
    const uint32_t at = Touch(dst, "dst", 0, bytes, PIPE_MTE2, Access::kWrite);
    FetchStretch(dst, at, src.data, bytes, elementBytes);
}

void CopyIn(const Local& dst, const Global& src, uint32_t elementBytes, const AscendC::DataCopyParams& p) {
    if (!OnThisCore(dst)) return;
    Begin("DataCopy", PIPE_MTE2);
    CheckBlockCount(p.blockCount);
    CheckAligned(dst, "dst");
    const uint64_t bytes = static_cast<uint64_t>(p.blockLen) * kBlockBytes;
    for (uint64_t i = 0; i < p.blockCount && p.blockLen != 0; ++i) {
        const uint32_t at =
            Touch(dst, "dst", i * (bytes + p.dstStride * kBlockBytes), bytes, PIPE_MTE2, Access::kWrite);
        FetchStretch(dst, at, src.data == nullptr ? nullptr : src.data + i * (bytes + p.srcStride * kBlockBytes), bytes,
                     elementBytes);
    }
}

void CopyOut(const Global& dst, const Local& src, Type type, uint32_t elementBytes, uint64_t count) {
    if (!OnThisCore(src)) return;
    Begin("DataCopy", PIPE_MTE3);
    const uint64_t bytes = WholeBlocks(count, elementBytes, src);
    CheckAligned(src, "src");
    CheckAtomic(elementBytes, type);
    if (bytes == 0) return;
    const uint32_t at = Touch(src, "src", 0, bytes, PIPE_MTE3, Access::kRead);
    StoreStretch(GmCheck(dst.data, bytes, elementBytes, Access::kStore, "dst"), core().memory.ub + at, bytes, src, at);
}

void CopyOut(const Global& dst, const Local& src, Type type, uint32_t elementBytes, const AscendC::DataCopyParams& p) {
    if (!OnThisCore(src)) return;
    Begin("DataCopy", PIPE_MTE3);
    CheckBlockCount(p.blockCount);
    CheckAligned(src, "src");
    CheckAtomic(elementBytes, type);
    const uint64_t bytes = static_cast<uint64_t>(p.blockLen) * kBlockBytes;
    for (uint64_t i = 0; i < p.blockCount && p.blockLen != 0; ++i) {
        const uint32_t at = Touch(src, "src", i * (bytes + p.srcStride * kBlockBytes), bytes, PIPE_MTE3, Access::kRead);
        const uint8_t* to = dst.data == nullptr ? nullptr : dst.data + i * (bytes + p.dstStride * kBlockBytes);
        StoreStretch(GmCheck(to, bytes, elementBytes, Access::kStore, "dst"), core().memory.ub + at, bytes, src, at);
    }
}

namespace {

void MoveLocal(const Local& dst, const Local& src, uint64_t dstOffset, uint64_t srcOffset, uint64_t bytes) {
    Core& c = core();
    const uint32_t from = Touch(src, "src", srcOffset, bytes, PIPE_V, Access::kRead);
    const uint32_t to = Touch(dst, "dst", dstOffset, bytes, PIPE_V, Access::kWrite);
    if (!AllDefined(from, bytes)) NoteUnwritten(dst, src, "src", from);
    std::memmove(c.memory.ub + to, c.memory.ub + from, bytes);
    std::memmove(c.memory.defined.data() + to, c.memory.defined.data() + from, bytes);
}

}  // namespace

void CopyLocal(const Local& dst, const Local& src, uint32_t elementBytes, uint64_t count) {
    if (!OnThisCore(src)) return;
    if (SpaceOf(src.position) != kUb)
        return CopyFromL1(dst, src, {1, static_cast<uint32_t>(count * elementBytes), 0, 0});
    Begin("DataCopy", PIPE_V);
    const uint64_t bytes = WholeBlocks(count, elementBytes, src);
    CheckAligned(dst, "dst");
    CheckAligned(src, "src");
    if (bytes > 0) MoveLocal(dst, src, 0, 0, bytes);
}

void CopyLocal(const Local& dst, const Local& src, uint32_t, const AscendC::DataCopyParams& p) {
    if (!OnThisCore(src)) return;
    if (SpaceOf(src.position) != kUb) {  // to the bias table lengths and gaps of the destination count 64 bytes
        const uint32_t unit = SpaceOf(dst.position) == kBias      ? 64
                              : SpaceOf(dst.position) == kFixpipe ? 128
                                                                  : kBlockBytes;
        return CopyFromL1(dst, src,
                          {p.blockCount, p.blockLen * unit, static_cast<uint64_t>(p.srcStride) * kBlockBytes,
                           static_cast<uint64_t>(p.dstStride) * unit});
    }
    Begin("DataCopy", PIPE_V);
    CheckBlockCount(p.blockCount);
    CheckAligned(dst, "dst");
    CheckAligned(src, "src");
    const uint64_t bytes = static_cast<uint64_t>(p.blockLen) * kBlockBytes;
    for (uint64_t i = 0; i < p.blockCount && p.blockLen != 0; ++i) {
        MoveLocal(dst, src, i * (bytes + p.dstStride * kBlockBytes), i * (bytes + p.srcStride * kBlockBytes), bytes);
    }
}

void CopyInPad(const Local& dst, const Global& src, uint32_t elementBytes, const CopyShape& shape,
               const PadShape& pad) {
    if (!OnThisCore(dst)) return;
    Begin("DataCopyPad", PIPE_MTE2);
    Core& c = core();
    CheckAligned(dst, "dst");
    CheckPadShape(shape, elementBytes, dst);
    const uint64_t left = static_cast<uint64_t>(pad.leftElements) * elementBytes;
    const uint64_t right = static_cast<uint64_t>(pad.rightElements) * elementBytes;
    if (left > kBlockBytes || right > kBlockBytes) {
        Broken("copy-params", BufferName(dst),
               {"too-much-padding",
                "DataCopyPad pads {left} bytes left and {right} right; each is at most 32",
                {left, right}},
               "pad up to one block; fill more with Duplicate");
    }
    if (elementBytes == 8 && pad.isPad && pad.value != 0) {
        Broken("copy-params", BufferName(dst), "paddingValue of a 64-bit type can only be 0", "pad with 0");
    }
    const uint64_t used = left + shape.bytes + right;
    const uint64_t rounded = (used + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
    for (uint64_t i = 0; i < shape.blocks && shape.bytes > 0; ++i) {
        const uint32_t at = Touch(dst, "dst", i * (rounded + shape.dstGap), rounded, PIPE_MTE2, Access::kWrite);
        const uint8_t* from = src.data == nullptr ? nullptr : src.data + i * (shape.bytes + shape.srcGap);
        const uint64_t present = FetchStretch(dst, static_cast<uint32_t>(at + left), from, shape.bytes, elementBytes);
        uint8_t* to = c.memory.ub + at;
        // Without padding on either side the device fills the last block with the copy's first element; with padding,
        // by the kernel's value when isPad is set and by a register otherwise (DataCopyPad.md, SetPadValue.md).
        const bool firstElement = left == 0 && right == 0;  // the rest of the last block repeats it
        const bool known = firstElement ? present > 0 : pad.isPad || c.registers.paddingSet;
        const uint64_t padding = pad.isPad ? pad.value : c.registers.padding;
        const uint8_t* filler = firstElement ? to : reinterpret_cast<const uint8_t*>(&padding);
        for (uint64_t b = 0; b < left; b += elementBytes) std::memcpy(to + b, filler, elementBytes);
        for (uint64_t b = left + shape.bytes; b < rounded; b += elementBytes) {
            if (known) std::memcpy(to + b, filler, elementBytes);
            else std::memset(to + b, 0xff, elementBytes);
        }
        Define(at, left, known);
        Define(static_cast<uint32_t>(at + left + shape.bytes), rounded - left - shape.bytes, known);
    }
}

void CopyOutPad(const Global& dst, const Local& src, Type type, uint32_t elementBytes, const CopyShape& shape) {
    if (!OnThisCore(src)) return;
    Begin("DataCopyPad", PIPE_MTE3);
    CheckAligned(src, "src");
    CheckPadShape(shape, elementBytes, src);
    CheckAtomic(elementBytes, type);
    const uint64_t rounded = (static_cast<uint64_t>(shape.bytes) + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
    for (uint64_t i = 0; i < shape.blocks && shape.bytes > 0; ++i) {
        const uint32_t at = Touch(src, "src", i * (rounded + shape.srcGap), shape.bytes, PIPE_MTE3, Access::kRead);
        const uint8_t* to = dst.data == nullptr ? nullptr : dst.data + i * (shape.bytes + shape.dstGap);
        StoreStretch(GmCheck(to, shape.bytes, elementBytes, Access::kStore, "dst"), core().memory.ub + at, shape.bytes,
                     src, at);
    }
}

namespace {

/// Pieces of a slice along one dimension.
uint32_t PiecesOf(const AscendC::SliceInfo& slice, uint32_t piece) {
    return (slice.endIndex - slice.startIndex + 1 + slice.stride) / (piece + slice.stride);
}

/// "copy-params" unless the numbers are what the page of the sliced DataCopy allows.
void CheckSlice(const AscendC::SliceInfo& slice, uint32_t piece, uint32_t dimension) {
    const uint64_t whole = static_cast<uint64_t>(slice.endIndex) - slice.startIndex + 1 + slice.stride;
    const bool inside = slice.startIndex <= slice.endIndex && slice.endIndex <= slice.shapeValue;
    if (inside && piece > 0 && whole % (static_cast<uint64_t>(piece) + slice.stride) == 0) return;
    Broken("copy-params", "",
           Text("SliceInfo of dimension %u goes from %u to %u of %u in pieces of %u with %u between", dimension,
                slice.startIndex, slice.endIndex, slice.shapeValue, piece, slice.stride),
           "endIndex - startIndex + 1 is that of whole pieces and what stays out between them");
}

/// Where the pieces of a slice begin, in elements, the innermost dimension first.
std::vector<uint64_t> StartsOf(const AscendC::SliceInfo slices[], uint32_t dims, uint32_t elementBytes) {
    std::vector<uint64_t> starts{0};
    uint64_t whole = 1;
    for (uint32_t d = 0; d < dims; ++d) {
        const uint32_t piece = d == 0 ? slices[d].burstLen * kBlockBytes / elementBytes : 1;
        CheckSlice(slices[d], piece, d);
        std::vector<uint64_t> next;
        for (uint32_t i = 0; i < PiecesOf(slices[d], piece); ++i)
            for (const uint64_t inner : starts)
                next.push_back(inner +
                               (slices[d].startIndex + static_cast<uint64_t>(i) * (piece + slices[d].stride)) * whole);
        starts.swap(next);
        whole *= slices[d].shapeValue;
    }
    return starts;
}

struct Slices {
    std::vector<uint64_t> dst, src;
    uint64_t bytes;
};

Slices SlicesOf(const AscendC::SliceInfo dst[], const AscendC::SliceInfo src[], uint32_t dims, uint32_t elementBytes) {
    if (dims == 0 || dims > AscendC::K_MAX_DIM)
        Broken("copy-params", "", Text("DataCopy of slices with dimValue %u; it is 1 to 8", dims),
               "fold dimensions together");
    for (uint32_t d = 0; d < dims; ++d) {
        if (dst[d].burstLen == src[d].burstLen && (d == 0 || dst[d].burstLen == 1)) continue;
        Broken("copy-params", "",
               Text("burstLen of dimension %u is %u for dst and %u for src", d, dst[d].burstLen, src[d].burstLen),
               "both are the same, and 1 behind the first dimension");
    }
    Slices slices{StartsOf(dst, dims, elementBytes), StartsOf(src, dims, elementBytes),
                  static_cast<uint64_t>(src[0].burstLen) * kBlockBytes};
    if (slices.dst.size() != slices.src.size()) {
        Broken("copy-params", "", Text("DataCopy of %zu pieces into %zu", slices.src.size(), slices.dst.size()),
               "give both sides as many pieces");
    }
    return slices;
}

/// "unaligned-ub" unless a piece begins at a whole block.
void CheckPiece(const Local& t, const char* operand, uint64_t start) {
    if (start % kBlockBytes == 0) return;
    Broken(
        "unaligned-ub", BufferName(t),
        Text("a piece of %s begins at byte %llu, no multiple of 32", operand, static_cast<unsigned long long>(start)),
        "choose startIndex, stride and shapeValue in UB so that pieces begin at whole blocks");
}

}  // namespace

void CopySlices(const Local& dst, const Global& src, uint32_t elementBytes, const AscendC::SliceInfo dstSlices[],
                const AscendC::SliceInfo srcSlices[], uint32_t dims) {
    core().account.api = "DataCopy";
    RequirePosition(dst, "dst", SpaceOf(dst.position) == kUb, "UB");
    if (!OnThisCore(dst)) return;
    Begin("DataCopy", PIPE_MTE2);
    CheckAligned(dst, "dst");
    const Slices slices = SlicesOf(dstSlices, srcSlices, dims, elementBytes);
    for (size_t i = 0; i < slices.dst.size(); ++i) {
        const uint64_t start = slices.dst[i] * elementBytes;
        CheckPiece(dst, "dst", start);
        const uint32_t at = Touch(dst, "dst", start, slices.bytes, PIPE_MTE2, Access::kWrite);
        FetchStretch(dst, at, src.data == nullptr ? nullptr : src.data + slices.src[i] * elementBytes, slices.bytes,
                     elementBytes);
    }
}

void CopySlices(const Global& dst, const Local& src, Type type, uint32_t elementBytes,
                const AscendC::SliceInfo dstSlices[], const AscendC::SliceInfo srcSlices[], uint32_t dims) {
    core().account.api = "DataCopy";
    RequirePosition(src, "src", SpaceOf(src.position) == kUb, "UB");
    if (!OnThisCore(src)) return;
    Begin("DataCopy", PIPE_MTE3);
    CheckAligned(src, "src");
    CheckAtomic(elementBytes, type);
    const Slices slices = SlicesOf(dstSlices, srcSlices, dims, elementBytes);
    for (size_t i = 0; i < slices.src.size(); ++i) {
        const uint64_t start = slices.src[i] * elementBytes;
        CheckPiece(src, "src", start);
        const uint32_t at = Touch(src, "src", start, slices.bytes, PIPE_MTE3, Access::kRead);
        const uint8_t* to = dst.data == nullptr ? nullptr : dst.data + slices.dst[i] * elementBytes;
        StoreStretch(GmCheck(to, slices.bytes, elementBytes, Access::kStore, "dst"), core().memory.ub + at,
                     slices.bytes, src, at);
    }
}

void FillGlobal(const Global& dst, uint32_t elementBytes, uint64_t count, uint64_t value, Type) {
    if (core().cube) return;
    Begin("InitOutput", PIPE_MTE3);
    if (count == 0) return;
    const uint64_t bytes = count * elementBytes;
    const GmPlace place = GmCheck(dst.data, bytes, elementBytes, Access::kWrite, "gmWorkspaceAddr");
    std::vector<uint8_t> filled(bytes);
    for (uint64_t b = 0; b < bytes; b += elementBytes) std::memcpy(filled.data() + b, &value, elementBytes);
    GmWrite(place, bytes, filled.data(), Way::kPast);
    std::memcpy(dst.data, filled.data(), bytes);
    Barrier(PIPE_ALL);
}

}  // namespace twin
