// LoadData of feature maps. A map lies in L1 by columns of 32 bytes of channels: C1, height, width, C0.
#include <algorithm>
#include <cstring>

#include "cube.h"
#include "twin/load3d.h"

namespace twin {

namespace {

uint32_t Up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit; }

/// What one call reads and writes. Rows and columns are those of the unfolded matrix.
struct Unfold {
    const UnfoldShape& shape;
    const UnfoldRegisters& set;
    uint32_t bytes, c0;
    uint32_t outputsW, outputsH;
    uint32_t rows, columns;  // with all repeats
    uint32_t base;           // of the source in L1
    bool toL0b, transposed;

    uint32_t RowAt(uint32_t m) const {
        const uint32_t repeat = set.mode == 0 ? m / shape.mExtension : 0;
        return shape.mStart + repeat * set.stride * 16 + m - repeat * shape.mExtension;
    }
    uint32_t ColumnAt(uint32_t k) const {
        const uint32_t repeat = set.mode == 1 ? k / shape.kExtension : 0;
        return shape.kStart + repeat * set.stride * c0 + k - repeat * shape.kExtension;
    }
    /// Offset of 32 bytes of channels from the source's start; -1 in the padding.
    int64_t SourceOf(uint32_t row, uint32_t column) const {
        const uint32_t block = column / c0, inFilter = block % (shape.filterH * shape.filterW),
                       c1 = block / (shape.filterH * shape.filterW);
        const int64_t h = static_cast<int64_t>(row / outputsW) * shape.strideH +
                          inFilter / shape.filterW * shape.dilationH - set.map.pad[2];
        const int64_t w = static_cast<int64_t>(row % outputsW) * shape.strideW +
                          inFilter % shape.filterW * shape.dilationW - set.map.pad[0];
        if (h < 0 || w < 0 || h >= set.map.height || w >= set.map.width) return -1;
        return ((static_cast<int64_t>(c1) * set.map.height + h) * set.map.width + w) * 32;
    }
    /// Place of an element in L0, in elements.
    uint32_t PlaceOf(uint32_t m, uint32_t k) const {
        const uint32_t kBlocks16 = Up(columns, 16), mBlocks = Up(rows, c0), kBlocks = Up(columns, c0);
        if (toL0b) return (m / c0 * kBlocks16 + k / 16) * 16 * c0 + k % 16 * c0 + m % c0;
        if (transposed) return (k / 16 * mBlocks + m / c0) * 16 * c0 + k % 16 * c0 + m % c0;
        return (m / 16 * kBlocks + k / c0) * 16 * c0 + m % 16 * c0 + k % c0;
    }
    uint32_t Bytes() const {
        const uint32_t across = toL0b || transposed ? Up(rows, c0) : Up(columns, c0),
                       down = toL0b || transposed ? Up(columns, 16) : Up(rows, 16);
        return across * down * kFractalBytes;
    }
};

void CheckShape(const Local& dst, const UnfoldShape& s, const FeatureMap& map, uint32_t c0) {
    const auto bad = [&](const std::string& what, const char* fix) {
        Broken("copy-params", BufferName(dst), "LoadData of a feature map " + what, fix);
    };
    if (map.height > 32767 || map.width > 32767)
        bad(Text("of %u x %u pixels; each is at most 32767", map.height, map.width), "split the map");
    if (s.strideW < 1 || s.strideW > 63 || s.strideH < 1 || s.strideH > 63)
        bad(Text("with strides %u and %u; they are 1 to 63", s.strideW, s.strideH),
            "use strides of 1 for a plain matrix");
    if (s.dilationW < 1 || s.dilationH < 1)
        bad(Text("with dilations %u and %u", s.dilationW, s.dilationH), "use dilations of 1 for a plain filter");
    if (s.kStart % c0 != 0)
        bad(Text("from column %u on, no multiple of %u", s.kStart, c0), "start at 32 bytes of columns");
    if (s.channels % c0 != 0)
        Broken("not-covered", BufferName(dst),
               Text("LoadData of a feature map with %u channels, no multiple of %u", s.channels, c0),
               "pad the channels to 32 bytes");
}

void CheckTypes(const Local& dst, uint32_t bytes, const UnfoldShape& s) {
    const bool toL0b = SpaceOf(dst.position) == kL0b;
    if (bytes == 1 && (toL0b || s.transpose))
        Broken("unsupported-type", BufferName(dst), "LoadData of a feature map of 8-bit elements to L0B, or transposed",
               "use LoadDataWithTranspose");
}

/// Where the source's bytes are: behind the boundary L1 starts again.
uint32_t Wrapped(const Unfold& u, int64_t offset) {
    const int64_t at = u.base + offset;
    return static_cast<uint32_t>(u.set.boundary == 0 || at < u.set.boundary ? at : at - u.set.boundary);
}

void Move(const Unfold& u, const Local& src, uint32_t to) {
    Core& c = core();
    const uint32_t l1 = kSpace[kL1].begin;
    const Local all{c.memory.ub + l1, kSpace[kL1].bytes, 0, src.position};
    for (uint32_t m = 0; m < u.rows; ++m) {
        const uint32_t row = u.RowAt(m);
        if (row >= u.outputsH * u.outputsW) continue;
        for (uint32_t k = 0; k < u.columns; k += u.c0) {
            const int64_t offset = u.SourceOf(row, u.ColumnAt(k));
            const uint32_t from = offset < 0 ? 0 : l1 + Wrapped(u, offset);
            if (offset >= 0 && u.set.boundary == 0)
                Touch(src, "src", static_cast<uint64_t>(offset), 32, PIPE_MTE1, Access::kRead);
            else if (offset >= 0) Touch(all, "src", Wrapped(u, offset), 32, PIPE_MTE1, Access::kRead);
            for (uint32_t i = 0; i < u.c0 && k + i < u.columns; ++i) {
                const uint32_t at = to + u.PlaceOf(m, k + i) * u.bytes;
                std::memcpy(
                    c.memory.ub + at,
                    offset < 0 ? reinterpret_cast<const uint8_t*>(&u.set.padding) : c.memory.ub + from + i * u.bytes,
                    u.bytes);
                Define(at, u.bytes, offset < 0 || AllDefined(from + i * u.bytes, u.bytes));
            }
        }
    }
}

uint32_t Outputs(uint32_t size, uint32_t before, uint32_t after, uint32_t filter, uint32_t dilation, uint32_t stride) {
    const uint32_t padded = size + before + after, window = (filter - 1) * dilation + 1;
    return padded < window ? 0 : (padded - window) / stride + 1;
}

}  // namespace

void SetFeatureMap(const FeatureMap& map) {
    Note("SetFmatrix");
    core().registers.unfold.map = map;
}
void SetFeaturePadding(uint64_t bits) {
    Note("SetLoadDataPaddingValue");
    core().registers.unfold.padding = bits;
}
void SetUnfoldRepeat(uint32_t stride, uint32_t times, uint32_t mode) {
    Note("SetLoadDataRepeat");
    if (mode > 1)
        Broken("copy-params", "", Text("repeatMode %u of SetLoadDataRepeat", mode), "0 repeats along m, 1 along k");
    core().registers.unfold.stride = stride;
    core().registers.unfold.times = times;
    core().registers.unfold.mode = mode;
}
void SetUnfoldBoundary(uint32_t bytes) {
    Note("SetLoadDataBoundary");
    if (bytes > 0 && bytes < 1024)
        Broken("copy-params", "", Text("SetLoadDataBoundary of %u bytes; it is 0 or at least 1024", bytes),
               "set 0 to use all of L1");
    core().registers.unfold.boundary = bytes;
}

void LoadUnfolded(const Local& dst, const Local& src, uint32_t elementBytes, const UnfoldShape& s) {
    if (!OnThisCore(dst)) return;
    Begin("LoadData", PIPE_MTE1);
    RequirePosition(dst, "dst", SpaceOf(dst.position) == kL0a || SpaceOf(dst.position) == kL0b, "A2 or B2");
    RequirePosition(src, "src", SpaceOf(src.position) == kL1, "A1 or B1");
    CheckAligned(dst, "dst");
    CheckAligned(src, "src");
    const UnfoldRegisters& set = core().registers.unfold;
    const bool nothing = set.map.height == 0 || set.map.width == 0 || s.channels == 0 || s.kExtension == 0 ||
                         s.mExtension == 0 || s.filterW == 0 || s.filterH == 0 || set.times == 0;
    if (nothing) return;
    const uint32_t c0 = 32 / elementBytes;
    CheckShape(dst, s, set.map, c0);
    CheckTypes(dst, elementBytes, s);
    const bool toL0b = SpaceOf(dst.position) == kL0b;
    const Unfold u{s,
                   set,
                   elementBytes,
                   c0,
                   Outputs(set.map.width, set.map.pad[0], set.map.pad[1], s.filterW, s.dilationW, s.strideW),
                   Outputs(set.map.height, set.map.pad[2], set.map.pad[3], s.filterH, s.dilationH, s.strideH),
                   s.mExtension * (set.mode == 0 ? set.times : 1),
                   s.kExtension * (set.mode == 1 ? set.times : 1),
                   src.data == nullptr ? 0 : static_cast<uint32_t>(src.data - core().memory.ub) - kSpace[kL1].begin,
                   toL0b,
                   s.transpose && !toL0b};
    const uint32_t width = s.filterH * s.filterW * s.channels;
    if (u.outputsW == 0 || u.outputsH == 0 || u.ColumnAt(u.columns - 1) / c0 >= Up(width, c0)) {
        Broken("copy-params", BufferName(dst),
               Text("LoadData takes columns up to %u of an unfolded matrix of %u x %u", u.ColumnAt(u.columns - 1),
                    u.outputsH * u.outputsW, width),
               "keep kStartPt + kExtension to channelSize * filterH * filterW, and the window inside the padded map");
    }
    const uint32_t to = Touch(dst, "dst", 0, u.Bytes(), PIPE_MTE1, Access::kWrite);
    Move(u, src, to);
}

}  // namespace twin
