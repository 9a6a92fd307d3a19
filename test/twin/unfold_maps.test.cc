// LoadData of feature maps of any size, stride, dilation, padding and repeat, with operands of just their size.
#include "cube_limits.h"
#include "pieces.h"

namespace {

uint32_t Up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit; }

/// A map of C1 columns of 32 bytes of channels for each pixel, and the windows that are rows of its matrix.
struct Map {
    uint32_t channels, h, w, filterH, filterW, strideH, strideW, dilationH, dilationW;
    uint8_t pad[4];  // left, right, top, bottom
    uint32_t repeatMode, repeats, repeatStride, mStart, m, kStart, k;
    uint32_t outputsH, outputsW;

    Map(Chance& c, uint32_t c0)
        : channels(c.From(1, 2) * c0), h(c.From(1, 6)), w(c.From(1, 6)), filterH(c.From(1, 3)), filterW(c.From(1, 3)),
          strideH(c.From(1, 3)), strideW(c.From(1, 3)), dilationH(c.From(1, 2)), dilationW(c.From(1, 2)) {
        for (auto& side : pad) side = static_cast<uint8_t>(c.From(0, 2));
        while (Windows(h, pad[2] + pad[3], filterH, dilationH, strideH) == 0) ++h;
        while (Windows(w, pad[0] + pad[1], filterW, dilationW, strideW) == 0) ++w;
        outputsH = Windows(h, pad[2] + pad[3], filterH, dilationH, strideH);
        outputsW = Windows(w, pad[0] + pad[1], filterW, dilationW, strideW);
        repeatMode = c.From(0, 1);
        repeats = c.From(1, 3);
        repeatStride = c.From(0, 2);
        mStart = c.From(0, 3);
        m = c.From(1, 2) * 16;
        const uint32_t blocks = Up(Width(), c0), left = repeatMode == 1 ? (repeats - 1) * repeatStride : 0;
        if (left >= blocks) repeats = 1;
        const uint32_t room = blocks - (repeats == 1 ? 0 : left);
        kStart = c.From(0, room - 1) * c0;
        k = c.From(1, room - kStart / c0) * c0;
    }
    static uint32_t Windows(uint32_t size, uint32_t padding, uint32_t filter, uint32_t dilation, uint32_t stride) {
        const uint32_t span = (filter - 1) * dilation + 1;
        return size + padding < span ? 0 : (size + padding - span) / stride + 1;
    }
    uint32_t Width() const { return filterH * filterW * channels; }
    uint32_t Rows() const { return m * (repeatMode == 0 ? repeats : 1); }
    uint32_t Columns() const { return k * (repeatMode == 1 ? repeats : 1); }
    /// Element of the map for a row and a column of the matrix, -1 in the padding, -2 behind the last row.
    int At(uint32_t row, uint32_t column, uint32_t c0) const {
        const uint32_t piece = repeatMode == 0 ? row / m : column / k;
        const uint32_t r = mStart + (repeatMode == 0 ? piece * repeatStride * 16 + row % m : row),
                       c = kStart + (repeatMode == 1 ? piece * repeatStride * c0 + column % k : column);
        if (r >= outputsH * outputsW) return -2;
        const uint32_t block = c / c0, at = block % (filterH * filterW), c1 = block / (filterH * filterW);
        const int y = static_cast<int>(r / outputsW * strideH + at / filterW * dilationH) - pad[2],
                  x = static_cast<int>(r % outputsW * strideW + at % filterW * dilationW) - pad[0];
        if (y < 0 || x < 0 || y >= static_cast<int>(h) || x >= static_cast<int>(w)) return -1;
        return ((static_cast<int>(c1 * h) + y) * static_cast<int>(w) + x) * static_cast<int>(c0) +
               static_cast<int>(c % c0);
    }
};

template <typename T>
void Maps(const std::string& type) {
    InEachCase("LoadData of maps of " + type, 150, 229, [](Chance& chance) {
        constexpr uint32_t c0 = 32 / sizeof(T), kFractal = 512 / sizeof(T);
        const Map map(chance, c0);
        const bool right = sizeof(T) > 1 && chance.Coin(), turned = sizeof(T) > 1 && !right && chance.Coin(),
                   packed = chance.Coin();
        const uint32_t rows = map.Rows(), columns = map.Columns();
        const uint32_t size =
            (right || turned ? Up(rows, c0) * Up(columns, 16) : Up(rows, 16) * Up(columns, c0)) * kFractal;
        if (size * sizeof(T) > 60000) return std::string();
        auto z = AnyBits<T>(chance, size);
        std::vector<int> from(size, -2);
        int last = -1;
        for (uint32_t row = 0; row < rows; ++row)
            for (uint32_t column = 0; column < columns; ++column) {
                size_t place = (row / 16 * Up(columns, c0) + column / c0) * kFractal + row % 16 * c0 + column % c0;
                if (right) place = (row / c0 * Up(columns, 16) + column / 16) * kFractal + column % 16 * c0 + row % c0;
                if (turned) place = (column / 16 * Up(rows, c0) + row / c0) * kFractal + column % 16 * c0 + row % c0;
                from[place] = map.At(row, column, c0);
                last = std::max(last, from[place]);
            }
        if (last < 0) return std::string();  // nothing but padding
        const auto x = AnyBits<T>(chance, Up(static_cast<uint32_t>(last) + 1, c0) * c0);
        const T padding = AnyBits<T>(chance, 1)[0];
        Pieces p;
        const size_t dst = p.Put(right ? TPosition::B2 : TPosition::A2, z), src = p.Put(TPosition::A1, x);
        for (uint32_t i = 0; i < size; ++i)
            if (from[i] != -2) z[i] = from[i] < 0 ? padding : x[static_cast<size_t>(from[i])];
        p.Then(dst, z);
        return p.Fits([&](Pieces& u) {
            SetLoadDataRepeat(LoadDataRepeatParam(map.repeatStride, map.repeats, map.repeatMode));
            if (packed) {
                SetFmatrix(map.h, map.w, map.pad, FmatrixMode::FMATRIX_LEFT);
                SetLoadDataPaddingValue(padding);
                const uint64_t ext = map.k | static_cast<uint64_t>(map.m) << 16 |
                                     static_cast<uint64_t>(map.kStart) << 32 | static_cast<uint64_t>(map.mStart) << 48;
                const uint64_t filter = map.strideW | map.strideH << 8 | map.filterW << 16 | map.filterH << 24 |
                                        static_cast<uint64_t>(map.dilationW) << 32 |
                                        static_cast<uint64_t>(map.dilationH) << 40;
                return LoadData(u.At<T>(dst), u.At<T>(src),
                                LoadData3DParamsV2Pro(map.channels, turned, false, false, false, false, ext, filter));
            }
            LoadData(u.At<T>(dst), u.At<T>(src),
                     LoadData3DParamsV2<T>(map.pad, map.h, map.w, map.channels, map.k, map.m, map.kStart, map.mStart,
                                           map.strideW, map.strideH, map.filterW, map.filterH, map.dilationW,
                                           map.dilationH, turned, false, padding));
        });
    });
}

/// Behind the boundary a map goes on at the start of L1.
void Boundary() {
    constexpr uint32_t kBlocks = 40;
    for (const uint32_t start : {0u, 8u, 31u})
        for (const uint32_t boundary : {1024u, 1056u, 1280u}) {
            std::vector<half> seen(kBlocks / 8 * 128), expected(seen.size());
            const std::string said = Says([&](GlobalTensor<half>) {
                auto* l1 = reinterpret_cast<half*>(All<half>(TPosition::A1).GetPhyAddr());
                for (uint32_t i = 0; i < 4096; ++i) l1[i] = half(static_cast<float>(i % 2048));
                LoadData3DParamsV2<half> p;
                p.l1H = 1;
                p.l1W = kBlocks;
                p.channelSize = p.kExtension = 16;
                p.mExtension = kBlocks;
                SetLoadDataBoundary(boundary);
                LoadData(All<half>(TPosition::A2), All<half>(TPosition::A1, start * 32), p);
                std::memcpy(seen.data(), All<half>(TPosition::A2).data, seen.size() * 2);
            });
            for (uint32_t i = 0; i < seen.size(); ++i) {
                const uint32_t byte = (start + i / 16) * 32, at = byte < boundary ? byte : byte - boundary;
                expected[i] = half(static_cast<float>((at / 2 + i % 16) % 2048));
            }
            ExpectSame(
                "a boundary of " + std::to_string(boundary) + " bytes, from block " + std::to_string(start) + said,
                seen, expected);
        }
    Said("a boundary of 1023 bytes", "copy-params: SetLoadDataBoundary of 1023 bytes; it is 0 or at least 1024",
         [](auto) { SetLoadDataBoundary(1023); });
    Said("a boundary of one byte", "copy-params: SetLoadDataBoundary of 1 bytes; it is 0 or at least 1024",
         [](auto) { SetLoadDataBoundary(1); });
    Said("no boundary", "", [](auto) { SetLoadDataBoundary(0); });
    Said("repeats along k", "", [](auto) { SetLoadDataRepeat(LoadDataRepeatParam(1, 1, 1)); });
    Said("repeats along nothing", "copy-params: repeatMode 2 of SetLoadDataRepeat",
         [](auto) { SetLoadDataRepeat(LoadDataRepeatParam(1, 1, 2)); });
}

using Change = std::function<void(LoadData3DParamsV2<half>&)>;

/// A map of one pixel with one field of another value.
void Changed(const std::string& name, const std::string& expected, const Change& change) {
    Said(name, expected, [&](auto) {
        LoadData3DParamsV2<half> p;
        p.l1H = p.l1W = 1;
        p.channelSize = p.kExtension = p.mExtension = 16;
        All<half>(TPosition::A1).GetPhyAddr();
        change(p);
        LoadData(All<half>(TPosition::A2), All<half>(TPosition::A1), p);
    });
}

void Fields() {
    const std::string of = "copy-params: LoadData of a feature map ";
    Changed("32767 rows", "", [](auto& p) { p.l1H = 32767; });
    Changed("32768 rows", of + "of 32768 x 1 pixels; each is at most 32767", [](auto& p) { p.l1H = 32768; });
    Changed("32767 columns", "", [](auto& p) {
        p.l1W = 32767;
        p.mExtension = 16;
        p.strideW = 63;
    });
    Changed("32768 columns", of + "of 1 x 32768 pixels; each is at most 32767", [](auto& p) { p.l1W = 32768; });
    Changed("strides of 63", "", [](auto& p) { p.strideW = p.strideH = 63; });
    Changed("no stride", of + "with strides 0 and 1; they are 1 to 63", [](auto& p) { p.strideW = 0; });
    Changed("no vertical stride", of + "with strides 1 and 0; they are 1 to 63", [](auto& p) { p.strideH = 0; });
    Changed("a stride of 64", of + "with strides 64 and 1; they are 1 to 63", [](auto& p) { p.strideW = 64; });
    Changed("a vertical stride of 64", of + "with strides 1 and 64; they are 1 to 63", [](auto& p) { p.strideH = 64; });
    Changed("no dilation", of + "with dilations 0 and 2", [](auto& p) {
        p.dilationFilterW = 0;
        p.dilationFilterH = 2;
    });
    Changed("no vertical dilation", of + "with dilations 2 and 0", [](auto& p) {
        p.dilationFilterW = 2;
        p.dilationFilterH = 0;
    });
    Changed("columns from 8 on", of + "from column 8 on, no multiple of 16", [](auto& p) { p.kStartPt = 8; });
    Changed("8 channels", "not-covered: LoadData of a feature map with 8 channels, no multiple of 16",
            [](auto& p) { p.channelSize = 8; });
    const auto past = [](const std::string& numbers) { return "copy-params: LoadData takes columns up to " + numbers; };
    Changed("one column more than there are", past("16 of an unfolded matrix of 1 x 16"),
            [](auto& p) { p.kExtension = 17; });
    Changed("a window higher than the map", past("15 of an unfolded matrix of 0 x 48"), [](auto& p) { p.filterH = 3; });
    Changed("a window wider than the map", past("15 of an unfolded matrix of 0 x 48"), [](auto& p) { p.filterW = 3; });
    Changed("a window as wide as the padded map", "", [](auto& p) {
        p.filterW = 3;
        p.padList[0] = p.padList[1] = 1;
    });
    Changed("a window as high as the padded map", "", [](auto& p) {
        p.filterH = 3;
        p.padList[2] = p.padList[3] = 1;
    });
    for (int field = 0; field < 7; ++field)
        Changed("nothing of field " + std::to_string(field), "", [field](auto& p) {
            p.strideW = 0;
            if (field == 0) p.l1H = 0;
            if (field == 1) p.l1W = 0;
            if (field == 2) p.channelSize = 0;
            if (field == 3) p.kExtension = 0;
            if (field == 4) p.mExtension = 0;
            if (field == 5) p.filterW = 0;
            if (field == 6) p.filterH = 0;
        });
    Changed("no repeat", "", [](auto& p) {
        p.strideW = 0;
        SetLoadDataRepeat(LoadDataRepeatParam(1, 0, 0));
    });
    const auto bytes = [](TPosition to, bool turned) {
        return [=](auto) {
            LoadData3DParamsV2<int8_t> p;
            p.l1H = p.l1W = 1;
            p.channelSize = p.kExtension = 32;
            p.mExtension = 16;
            p.enTranspose = turned;
            All<half>(TPosition::A1).GetPhyAddr();
            LoadData(All<int8_t>(to), All<int8_t>(TPosition::A1), p);
        };
    };
    const std::string no = "unsupported-type: LoadData of a feature map of 8-bit elements to L0B, or transposed";
    Said("bytes to L0A", "", bytes(TPosition::A2, false));
    Said("bytes to L0B", no, bytes(TPosition::B2, false));
    Said("bytes transposed", no, bytes(TPosition::A2, true));
    for (const TPosition where : {TPosition::A1, TPosition::A2, TPosition::B2, TPosition::CO1}) {
        const bool l0 = where == TPosition::A2 || where == TPosition::B2, l1 = where == TPosition::A1;
        const std::string name = l1 ? "A1" : where == TPosition::CO1 ? "CO1" : where == TPosition::A2 ? "A2" : "B2";
        LoadData3DParamsV2<half> p;
        Said("a map to " + name,
             l0 ? "" : "wrong-position: dst of LoadData is at position " + name + "; it belongs in A2 or B2",
             [=](auto) { LoadData(All<half>(where), All<half>(TPosition::A1), p); });
        Said("a map from " + name,
             l1 ? "" : "wrong-position: src of LoadData is at position " + name + "; it belongs in A1 or B1",
             [=](auto) { LoadData(All<half>(TPosition::A2), All<half>(where), p); });
    }
}

}  // namespace

int main() {
    Maps<int8_t>("int8_t");
    Maps<half>("half");
    Maps<float>("float");
    Boundary();
    Fields();
    return Finish();
}
