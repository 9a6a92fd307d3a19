// Transposition of blocks, and the instructions that take addresses of UB.
#include <array>
#include <cstring>
#include <map>

#include "vector.h"
#include "twin/intrinsics.h"

namespace twin {

namespace {

struct Sixteen {
    uint8_t bytes[16][kBlockBytes];
    uint8_t known[16][kBlockBytes];
};

/// One block of an address list; `offset` in bytes from the list's address.
Local BlockAt(uint64_t address, uint64_t offset) { return ViewOfAddress(reinterpret_cast<void*>(address + offset)); }

void ReadBlocks(const uint64_t* addresses, uint64_t offset, Sixteen* in) {
    Core& c = core();
    for (int i = 0; i < 16; ++i) {
        const Local block = BlockAt(addresses[i], offset);
        CheckAligned(block, "srcList");
        const uint32_t at = Touch(block, "srcList", 0, kBlockBytes, PIPE_V, Access::kRead);
        std::memcpy(in->bytes[i], c.memory.ub + at, kBlockBytes);
        std::memcpy(in->known[i], c.memory.defined.data() + at, kBlockBytes);
    }
}

/// Bytes [first, first + bytes) of each destination block are written.
void WriteBlocks(const uint64_t* addresses, uint64_t offset, const Sixteen& out, uint32_t first, uint32_t bytes) {
    Core& c = core();
    for (int i = 0; i < 16; ++i) {
        const Local block = BlockAt(addresses[i], offset);
        CheckAligned(block, "dstList");
        const uint32_t at = Touch(block, "dstList", first, bytes, PIPE_V, Access::kWrite);
        std::memcpy(c.memory.ub + at, out.bytes[i] + first, bytes);
        std::memcpy(c.memory.defined.data() + at, out.known[i] + first, bytes);
        if (std::memchr(out.known[i] + first, 0, bytes) != nullptr) NoteUnwritten(block, block, "srcList", at);
    }
}

void Exchange(uint32_t elementBytes, const Sixteen& in, Sixteen* out, bool dstHigh, bool srcHigh) {
    const uint32_t columns = elementBytes == 4 ? 8 : 16, perBlock = elementBytes == 4 ? 8 : 16;
    const uint32_t dstShift = elementBytes == 1 && dstHigh ? 16 : 0, srcShift = elementBytes == 1 && srcHigh ? 16 : 0;
    for (uint32_t row = 0; row < 16; ++row) {
        for (uint32_t column = 0; column < columns; ++column) {
            const uint32_t block = elementBytes == 4 ? column * 2 + row / perBlock : column, lane = row % perBlock;
            const uint32_t to = (dstShift + lane) * elementBytes, from = (srcShift + column) * elementBytes;
            std::memcpy(out->bytes[block] + to, in.bytes[row] + from, elementBytes);
            std::memcpy(out->known[block] + to, in.known[row] + from, elementBytes);
        }
    }
}

/// By core, told apart by its memory, which two running cores never share.
std::array<std::array<uint64_t, 8>, 8>& AddressRegisters() {
    static std::map<const uint8_t*, std::array<std::array<uint64_t, 8>, 8>> all;
    return all[core().memory.ub];
}

}  // namespace

Local ViewOfAddress(void* address) {
    Core& c = core();
    Local view;
    view.data = static_cast<uint8_t*>(address);
    view.position = TPosition::VECCALC;
    if (view.data < c.memory.ub || view.data >= c.memory.ub + kUbBytes) {
        Broken("out-of-buffer", "", Text("an address given to %s is not in UB", c.account.api),
               "take addresses from GetPhyAddr of a LocalTensor");
    }
    const auto at = static_cast<uint32_t>(view.data - c.memory.ub);
    view.bytes = kUbBytes - at;
    for (size_t i = 1; i < c.tpipe.buffers.size(); ++i) {
        if (at < c.tpipe.buffers[i].begin || at >= c.tpipe.buffers[i].begin + c.tpipe.buffers[i].bytes) continue;
        if (c.tpipe.buffers[i].declared) DefineStored(c.tpipe.buffers[i]);
        view.buffer = static_cast<uint16_t>(i);
    }
    return view;
}

void TransposeBlocks(const char* api, uint32_t elementBytes, const uint64_t* dst, const uint64_t* src, int repeatTimes,
                     int dstRepStride, int srcRepStride, bool dstHighHalf, bool srcHighHalf) {
    Begin(api, PIPE_V);
    CheckRepeat(repeatTimes);
    const uint32_t first = elementBytes == 1 && dstHighHalf ? 16 : 0, bytes = elementBytes == 1 ? 16 : kBlockBytes;
    Sixteen in, out;
    for (int r = 0; r < repeatTimes; ++r) {
        const uint64_t step = repeatTimes == 1 ? 1 : static_cast<uint64_t>(r);
        ReadBlocks(src, step * static_cast<uint64_t>(srcRepStride) * kBlockBytes, &in);
        Exchange(elementBytes, in, &out, dstHighHalf, srcHighHalf);
        WriteBlocks(dst, step * static_cast<uint64_t>(dstRepStride) * kBlockBytes, out, first, bytes);
    }
}

void SetAddressRegister(int index, const uint64_t addresses[8]) {
    Note("set_va_reg_sb");
    std::memcpy(AddressRegisters()[static_cast<size_t>(index)].data(), addresses, 8 * sizeof(uint64_t));
}

void TransposeRegisters(uint32_t elementBytes, int dst, int src, int repeat, int dstRepStride, int srcRepStride,
                        bool dstHighHalf, bool srcHighHalf) {
    if (dst > VA6 || src > VA6)
        Broken("address-register", "", "scatter_vnchwconv takes two registers in a row, so the first is VA0 to VA6",
               "use VA0 and VA2");
    uint64_t to[16], from[16];
    for (size_t i = 0; i < 16; ++i) {
        to[i] = AddressRegisters()[static_cast<size_t>(dst) + i / 8][i % 8];
        from[i] = AddressRegisters()[static_cast<size_t>(src) + i / 8][i % 8];
    }
    TransposeBlocks(elementBytes == 1   ? "scatter_vnchwconv_b8"
                    : elementBytes == 2 ? "scatter_vnchwconv_b16"
                                        : "scatter_vnchwconv_b32",
                    elementBytes, to, from, repeat, dstRepStride, srcRepStride, dstHighHalf, srcHighHalf);
}

void RawVector(const char* api, Op op, Type type, void* dst, void* src0, void* src1, double scalar, int repeat,
               const Strides& strides) {
    core().account.api = api;
    const Local to = ViewOfAddress(dst), a = src0 != nullptr ? ViewOfAddress(src0) : Local(),
                b = src1 != nullptr ? ViewOfAddress(src1) : Local();
    VectorRepeat(api, op, type, type, to, src0 != nullptr ? &a : nullptr, src1 != nullptr ? &b : nullptr, scalar,
                 {Mask::kKeep, 0, 0}, repeat, strides);
}

void RawCopy(void* dst, void* src, int blocks, int length, int srcGap, int dstGap) {
    core().account.api = "copy_ubuf_to_ubuf";
    CopyLocal(ViewOfAddress(dst), ViewOfAddress(src), 2,
              AscendC::DataCopyParams(static_cast<uint16_t>(blocks), static_cast<uint16_t>(length),
                                      static_cast<uint16_t>(srcGap), static_cast<uint16_t>(dstGap)));
}

void RawTranspose16(void* dst, void* src) {
    core().account.api = "vtranspose";
    Transpose16(ViewOfAddress(dst), ViewOfAddress(src));
}

}  // namespace twin
