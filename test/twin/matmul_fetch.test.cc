// Matrices that functions of the kernel's own copy to L1 for the high-level Matmul (MatmulCallBackFunc).
#include "matmul_kernels.h"

namespace {

struct Call {
    int row, column, rows, columns;
    bool operator==(const Call& o) const {
        return row == o.row && column == o.column && rows == o.rows && columns == o.columns;
    }
};
std::vector<Call> calls_;
uint64_t tilingPtr_, dataPtr_;
bool skip_ = false;

/// Rows x columns of a matrix in memory whose rows have `width` elements, from (row, column) on, to columns of 32
/// bytes.
template <typename T>
void ToColumns(const LocalTensor<int8_t>& l1, const __gm__ void* gm, int row, int column, int rows, int columns,
               int width) {
    GlobalTensor<T> from;
    from.SetGlobalBuffer((__gm__ T*)gm + static_cast<int64_t>(row) * width + column);
    DataCopy(l1.ReinterpretCast<T>(), from, Nd2NzParams(1, rows, columns, 0, width, (rows + 15) / 16 * 16, 1, 0));
}

// A of 40 x 50 in rows of 64, in blocks of 16 x 32; B of 50 x 24 in rows of 24, in blocks of 32 x 16.
constexpr int kM = 40, kN = 24, kK = 50, kWide = 64;
void CopyA(const LocalTensor<int8_t>& l1, const __gm__ void* gm, int row, int col, int useM, int useK,
           const uint64_t tilingPtr, const uint64_t dataPtr) {
    calls_.push_back({row, col, useM, useK});
    tilingPtr_ = tilingPtr;
    dataPtr_ = dataPtr;
    if (!skip_) ToColumns<half>(l1, gm, row * 16, col * 32, useM, useK, kWide);
}
/// B as it is in memory, transposed: 24 x 50.
void CopyB(const LocalTensor<int8_t>& l1, const __gm__ void* gm, int row, int col, int useK, int useN, const uint64_t,
           const uint64_t) {
    calls_.push_back({row, col, useK, useN});
    ToColumns<half>(l1, gm, col * 16, row * 32, useN, useK, kK);
}
void CopyFar(const LocalTensor<int8_t>& l1, const __gm__ void* gm, int, int, int, int, const uint64_t, const uint64_t) {
    ToColumns<half>(l1, gm, 0, 0, 16, 48, kWide);
}
void CopyAll(const LocalTensor<int8_t>& l1, const __gm__ void* gm, int row, int col, int useM, int useK, const uint64_t,
             const uint64_t) {
    calls_.push_back({row, col, useM, useK});
    ToColumns<half>(l1, gm, row * 32, col * 64, useM, useK, kWide);
}

using Rows = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using Turned = MatmulType<TPosition::GM, CubeFormat::ND, half, true>;
using Out = MatmulType<TPosition::GM, CubeFormat::ND, float>;

struct Data {
    std::vector<half> a = Numbers<half>(kM * kWide, 1), b = Numbers<half>(kK * kN, 5);
    std::vector<float> c = std::vector<float>(kM * kN, 99);
    std::vector<twin::GmArg> args() { return {Input("a", a), Input("b", b), Output("c", c)}; }
    std::vector<float> expected(bool turned) const {
        std::vector<float> out(kM * kN);
        for (int m = 0; m < kM; ++m)
            for (int n = 0; n < kN; ++n)
                for (int k = 0; k < kK; ++k)
                    out[m * kN + n] += static_cast<float>(a[m * kWide + k]) *
                                       static_cast<float>(turned ? b[n * kK + k] : b[k * kN + n]);
        return out;
    }
};

TCubeTiling Tiling(int32_t steps = 1) {
    TCubeTiling tiling = OneCore<half, float>({kM, kN, kK}, 16, 16);
    tiling.baseK = 32;
    tiling.stepM = tiling.stepKa = tiling.depthA1 = steps;
    tiling.depthA1 = steps * steps;
    tiling.stepN = tiling.stepKb = tiling.depthB1 = 1;
    return tiling;
}

template <typename M>
std::string Multiply(Data& data, bool tiles, const TCubeTiling& tiling, bool late = false,
                     twin::Cores cores = twin::Cores::kCube) {
    calls_.clear();
    const Kernel kernel = [&](uint8_t** args) {
        TPipe pipe;
        M mm;
        if (cores == twin::Cores::kCube) mm.Init(&tiling, &pipe);
        else twin::RegisterMatmuls(twin::AddressAs<const uint8_t*>(GetSysWorkSpacePtr()), mm, &tiling);
        if (!late) mm.SetSelfDefineData(7);
        mm.SetUserDefInfo(1000);
        mm.SetTensorA(At<half>(args[0]));
        if (late) mm.SetSelfDefineData(7);
        mm.SetTensorB(At<half>(args[1]), M::BType::isTrans);
        if (!tiles) return mm.IterateAll(At<float>(args[2]));
        while (mm.Iterate()) mm.GetTensorC(At<float>(args[2]));
    };
    if (cores == twin::Cores::kCube)
        return RunOn(
            cores, data.args(), [](uint8_t**) {}, kernel);
    return RunMixed(data.args(), kernel);
}

template <void (*CopyA1)(const LocalTensor<int8_t>&, const __gm__ void*, int, int, int, int, const uint64_t,
                         const uint64_t)>
using Left = Matmul<Rows, Rows, Out, Out, CFG_NORM, MatmulCallBackFunc<nullptr, CopyA1, nullptr>>;
using Both = Matmul<Rows, Turned, Out, Out, CFG_NORM, MatmulCallBackFunc<nullptr, CopyA, CopyB>>;
using Many = Matmul<Rows, Rows, Out, Out, CFG_MDL, MatmulCallBackFunc<nullptr, CopyAll, nullptr>>;

void Copies() {
    const std::vector<Call> left = {{0, 0, 16, 32}, {0, 1, 16, 18}, {1, 0, 16, 32},
                                    {1, 1, 16, 18}, {2, 0, 8, 32},  {2, 1, 8, 18}};
    Data one, both, many;
    const std::string ruleOne = Multiply<Left<CopyA>>(one, false, Tiling());
    ExpectSame("A comes through the kernel's copy, whose rows are longer" + ruleOne, one.c, one.expected(false));
    Expect("block by block along k, with what is left at the ends", calls_ == left);
    Expect("with what the kernel said of itself", tilingPtr_ == 1000 && dataPtr_ == 7);
    const std::string ruleBoth = Multiply<Both>(both, true, Tiling());
    ExpectSame("A and B, which is transposed, tile by tile" + ruleBoth, both.c, both.expected(true));
    Expect("each block once", calls_.size() == 10 && calls_[6] == Call{0, 0, 32, 16} &&
                                  calls_[7] == Call{1, 0, 18, 16} && calls_[9] == Call{1, 1, 18, 8});
    const std::string ruleMany = Multiply<Many>(many, false, Tiling(2));
    ExpectSame("blocks of stepM x stepKa" + ruleMany, many.c, many.expected(false));
    Expect("one copy brings them", calls_ == std::vector<Call>{{0, 0, 32, 50}, {1, 0, 8, 50}});
}

void Rules() {
    Data data;
    const std::string vector = Multiply<Left<CopyA>>(data, false, Tiling(), false, twin::Cores::kMix11);
    Expect("not-covered: copies called for a vector core", vector == "not-covered", vector);
    const std::string late = Multiply<Left<CopyA>>(data, false, Tiling(), true);
    Expect("matmul-order: SetSelfDefineData after SetTensorA", late == "matmul-order", late);
    skip_ = true;
    const std::string nothing = Multiply<Left<CopyA>>(data, false, Tiling());
    skip_ = false;
    Expect("read-unwritten: a copy that brings nothing", nothing == "read-unwritten", nothing);
    const std::string far = Multiply<Left<CopyFar>>(data, false, Tiling());
    Expect("out-of-buffer: a copy of more than its block", far == "out-of-buffer", far);
    const auto full = [&](uint32_t bytes) {
        return RunOn(
            twin::Cores::kCube, data.args(), [](uint8_t**) {},
            [&](uint8_t** args) {
                TPipe pipe;
                TBuf<TPosition::A1> l1;
                pipe.InitBuffer(l1, bytes);
                Left<CopyA> mm;
                const TCubeTiling tiling = Tiling();
                mm.Init(&tiling, &pipe);
                mm.SetTensorA(At<half>(args[0]));
                mm.SetTensorB(At<half>(args[1]));
                mm.IterateAll(At<float>(args[2]));
            });
    };
    Expect("local-overflow: L1 is given out", full(512 * 1024 - 992) == "local-overflow", full(512 * 1024 - 992));
    Expect("legal: but for one block", full(512 * 1024 - 1024).empty(), full(512 * 1024 - 1024));
    const std::string unset = RunOn(
        twin::Cores::kCube, data.args(), [](uint8_t**) {},
        [&](uint8_t** args) {
            TPipe pipe;
            Left<CopyA> mm;
            const TCubeTiling tiling = Tiling();
            mm.Init(&tiling, &pipe);
            mm.SetTensorB(At<half>(args[1]));
            mm.IterateAll(At<float>(args[2]));
        });
    Expect("matmul-order: no A", unset == "matmul-order", unset);
}

}  // namespace

int main() {
    Copies();
    Rules();
    return Finish();
}
