// Other ways through the high-level Matmul: tiles one after another in a workspace, parts along k, sums that go on,
// batches, results in L0C and scales in UB, each against a plain loop.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "matmul_direct.h"
#include "pieces.h"

namespace {

constexpr int32_t kM = 20, kN = 36, kK = 24;

TCubeTiling Tiling(bool bias = false) {
    TCubeTiling t = Small();
    t.M = t.singleCoreM = kM;
    t.N = t.singleCoreN = kN;
    t.Ka = t.Kb = t.singleCoreK = kK;
    t.isBias = bias ? 1 : 0;
    return t;
}

std::vector<half> Halves(Chance& c, size_t count) {
    std::vector<half> values(count);
    for (auto& v : values) v = half(static_cast<float>(static_cast<int>(c.From(0, 12)) - 6));
    return values;
}

/// One number of a product, over a part of k.
float At(const std::vector<half>& a, const std::vector<half>& b, int32_t row, int32_t column, int32_t from = 0,
         int32_t to = kK, size_t startA = 0, size_t startB = 0) {
    float sum = 0;
    for (int32_t k = from; k < to; ++k)
        sum += static_cast<float>(a[startA + row * kK + k]) * static_cast<float>(b[startB + k * kN + column]);
    return sum;
}

struct Tile {
    int32_t row, rows, column, columns;
};
/// Tiles of 16 x 16, down the columns first.
std::vector<Tile> TilesOf() {
    std::vector<Tile> tiles;
    for (int32_t column = 0; column < kN; column += 16)
        for (int32_t row = 0; row < kM; row += 16)
            tiles.push_back({row, std::min(16, kM - row), column, std::min(16, kN - column)});
    return tiles;
}

/// An object that is registered before the kernel's buffers, and its matrices.
struct Object {
    twin::MatmulKind kind = KindOf(Type::kHalf, Type::kFloat);
    TCubeTiling tiling = Tiling();
    twin::MatmulState state;
    Pieces p;
    explicit Object(bool onCube = false) : cube(onCube) {
        if (!cube) p.ServeMatmul([this](Pieces&) { Register(); });
    }
    void Register() {
        state = twin::MatmulState();
        twin::MatmulRegister(state, kind, &tiling, cube ? nullptr : GetSysWorkSpacePtr());
    }
    void Set(Pieces& u, size_t a, size_t b) {
        if (cube) Register();
        twin::MatmulSet("SetTensorA", state, MatmulOperand::kLeft, InGm(u.Gm<half>(a)));
        twin::MatmulSet("SetTensorB", state, MatmulOperand::kRight, InGm(u.Gm<half>(b)));
    }
    bool cube;
};

void Workspace() {
    Chance c(419);
    const auto a = Halves(c, kM * kK), b = Halves(c, kK * kN);
    for (const bool order : {false, true}) {
        Object o;
        o.tiling.iterateOrder = order ? 1 : 0;
        std::vector<Tile> tiles = TilesOf();
        if (order)
            std::sort(tiles.begin(), tiles.end(), [](const Tile& x, const Tile& y) {
                return std::tie(x.row, x.column) < std::tie(y.row, y.column);
            });
        std::vector<float> room(5 * 256 + 16 * 4, 5);  // the last tile has 16 x 4, or 4 x 4
        room.resize(5 * 256 + static_cast<size_t>(tiles.back().rows * tiles.back().columns));
        const size_t left = o.p.Store(a), right = o.p.Store(b), space = o.p.Store(room);
        for (size_t i = 0; i < tiles.size(); ++i)
            for (int32_t e = 0; e < tiles[i].rows * tiles[i].columns; ++e)
                room[i * 256 + static_cast<size_t>(e)] =
                    At(a, b, tiles[i].row + e / tiles[i].columns, tiles[i].column + e % tiles[i].columns);
        o.p.Then(space, room);
        std::string seen;
        const auto kernel = [&](Pieces& u) {
            o.Set(u, left, right);
            twin::MatmulWorkspace(o.state, u.Gm<float>(space));
            seen.clear();
            while (twin::MatmulIterate(o.state, false, false, nullptr)) {
                const twin::Global tile = twin::MatmulGetCached(o.state);
                seen += std::to_string((tile.data - reinterpret_cast<uint8_t*>(u.Gm<float>(space).data)) / 4) + "/" +
                        std::to_string(tile.elements) + " ";
            }
        };
        const std::string wrong = o.p.Fits(kernel);
        Expect("asynchronous tiles in a workspace", wrong.empty(), wrong);
        o.p.Wrong(kernel);
        Expect("and where they are", seen == "0/256 256/256 512/256 768/256 1024/256 1280/256 ", seen);
        const std::string more = o.p.Rule([&](Pieces& u) {
            kernel(u);
            twin::MatmulGetCached(o.state);
        });
        Expect("a seventh tile of six",
               more == "matmul-order" &&
                   told_.message == "GetTensorC out of the workspace, where no tile of an asynchronous Iterate is left",
               told_.message);
    }
}

/// Each tile is given for each baseK of k, and only that part of k counts.
void Parts() {
    Chance c(421);
    const auto a = Halves(c, kM * kK), b = Halves(c, kK * kN);
    Object o;
    o.kind.partialOutput = true;
    const size_t left = o.p.Store(a), right = o.p.Store(b), to = o.p.Store(std::vector<float>(12 * kM * kN, 3));
    std::vector<float> expected(12 * kM * kN, 3);
    size_t i = 0;
    for (const Tile& t : TilesOf())
        for (const int32_t from : {0, 16}) {
            for (int32_t e = 0; e < t.rows * t.columns; ++e) {
                const int32_t row = t.row + e / t.columns, column = t.column + e % t.columns;
                expected[i * kM * kN + static_cast<size_t>(row * kN + column)] =
                    At(a, b, row, column, from, std::min(kK, from + 16));
            }
            ++i;
        }
    o.p.Then(to, expected);
    const std::string wrong = o.p.Wrong([&](Pieces& u) {
        o.Set(u, left, right);
        for (uint32_t part = 0; twin::MatmulIterate(o.state, true, false, nullptr); ++part) {
            const twin::Global place = u.Gm<float>(to)[part * kM * kN];
            twin::MatmulGet(o.state, true, {&place, nullptr, 0, false});
        }
    });
    Expect("isPartialOutput gives a tile for each part of k", wrong.empty(), wrong);
}

/// One tile that two calculations add up in.
void Sums() {
    Chance c(431);
    const auto a = Halves(c, 16 * 16), b = Halves(c, 16 * 16), d = Halves(c, 16 * 16);
    for (const bool goesOn : {false, true}) {
        Object o;
        o.tiling = Small();
        const size_t left = o.p.Store(a), right = o.p.Store(b), other = o.p.Store(d),
                     to = o.p.Store(std::vector<float>(256));
        std::vector<float> expected(256);
        for (int i = 0; i < 256; ++i)
            for (int k = 0; k < 16; ++k)
                expected[i] +=
                    static_cast<float>(a[i / 16 * 16 + k]) *
                    (static_cast<float>(d[k * 16 + i % 16]) + (goesOn ? static_cast<float>(b[k * 16 + i % 16]) : 0));
        o.p.Then(to, expected);
        const std::string wrong = o.p.Fits([&](Pieces& u) {
            o.Set(u, left, right);
            twin::MatmulIterate(o.state, true, goesOn, nullptr);
            o.Set(u, left, other);
            twin::MatmulIterate(o.state, true, goesOn, nullptr);
            const twin::Global place = u.Gm<float>(to);
            twin::MatmulGet(o.state, true, {&place, nullptr, 0, false});
        });
        Expect(std::string("a second calculation") + (goesOn ? " goes on from the first" : " begins anew"),
               wrong.empty(), wrong);
    }
}

/// Matrices one behind the other, or a stride apart, or one for all.
void Batches() {
    InEachCase("batches", 60, 433, [](Chance& c) {
        const uint32_t many = c.From(1, 3);
        const bool oneA = many > 1 && c.From(0, 3) == 0, oneB = many > 1 && !oneA && c.From(0, 3) == 0,
                   biased = c.Coin(), each = biased && c.Coin();
        const uint32_t gapA = c.From(0, 2) * 8, gapB = c.From(0, 2) * 8;
        const uint32_t strideA = gapA == 0 ? kM * kK : kM * kK + gapA, strideB = gapB == 0 ? kK * kN : kK * kN + gapB;
        const uint32_t manyA = oneA ? 1 : many, manyB = oneB ? 1 : many;
        const auto a = Halves(c, (manyA - 1) * strideA + kM * kK), b = Halves(c, (manyB - 1) * strideB + kK * kN);
        std::vector<float> bias((each ? many : 1) * kN), expected(many * kM * kN);
        for (auto& v : bias) v = static_cast<float>(c.From(0, 9));
        Object o;
        o.tiling = Tiling(biased);
        o.kind.biasBatch = each;
        o.kind.a.layout = o.kind.b.layout = o.kind.c.layout = LayoutMode::NORMAL;
        const size_t left = o.p.Store(a), right = o.p.Store(b), to = o.p.Store(expected),
                     added = biased ? o.p.Store(bias) : 0;
        for (uint32_t i = 0; i < many; ++i)
            for (int32_t e = 0; e < kM * kN; ++e) {
                const float start = biased ? bias[(each ? i * kN : 0) + static_cast<uint32_t>(e % kN)] : 0;
                expected[i * kM * kN + static_cast<uint32_t>(e)] =
                    start + At(a, b, e / kN, e % kN, 0, kK, oneA ? 0 : i * strideA, oneB ? 0 : i * strideB);
            }
        o.p.Then(to, expected);
        return o.p.Fits([&](Pieces& u) {
            o.Set(u, left, right);
            if (biased) {
                MatmulInput input;
                input.where = MatmulInput::kGlobal;
                input.global = u.Gm<float>(added);
                twin::MatmulSet("SetBias", o.state, MatmulOperand::kBias, input);
            }
            const twin::Global place = u.Gm<float>(to);
            twin::MatmulIterateBatch(o.state, true, {&place, nullptr, 0, false},
                                     {manyA, manyB, gapA == 0 ? 0 : strideA, gapB == 0 ? 0 : strideB}, false);
        });
    });
    const auto said = [](uint32_t left, uint32_t right, const std::function<void(twin::MatmulKind&)>& change,
                         std::vector<MatmulOperand> inUb = {}) {
        Object o;
        o.kind.a.layout = o.kind.b.layout = o.kind.c.layout = LayoutMode::NORMAL;
        change(o.kind);
        const size_t a = o.p.Store(std::vector<half>(4 * kM * kK)), b = o.p.Store(std::vector<half>(4 * kK * kN)),
                     to = o.p.Store(std::vector<float>(4 * kM * kN)),
                     ub = o.p.Put(TPosition::VECCALC, std::vector<half>(kK * kN));
        const std::string rule = o.p.Rule([&](Pieces& u) {
            o.Set(u, a, b);
            MatmulInput input;
            input.where = MatmulInput::kLocal;
            input.local = u.At<uint8_t>(ub);
            for (const auto operand : inUb) twin::MatmulSet("SetTensorA", o.state, operand, input);
            const twin::Global place = u.Gm<float>(to);
            twin::MatmulIterateBatch(o.state, true, {&place, nullptr, 0, false}, {left, right, 0, 0}, false);
        });
        return rule.empty() ? "" : rule + ": " + told_.message;
    };
    const auto none = [](twin::MatmulKind&) {};
    const auto is = [](const std::string& name, const std::string& seen, const std::string& expected) {
        Expect(name, seen == expected, seen);
    };
    is("one for all", said(1, 4, none), "");
    is("all for one", said(4, 1, none), "");
    const auto of = [](const std::string& numbers) { return "not-covered: IterateBatch of " + numbers + " matrices"; };
    is("two for four", said(2, 4, none), of("2 and 4"));
    is("none for one", said(0, 1, none), of("0 and 1"));
    is("one for none", said(1, 0, none), of("1 and 0"));
    is("none for none", said(0, 0, none), of("0 and 0"));
    const std::string bare = "not-covered: IterateBatch of matrices without a layout, or in NZ";
    is("A without a layout", said(1, 1, [](auto& k) { k.a.layout = LayoutMode::NONE; }), bare);
    is("B without a layout", said(1, 1, [](auto& k) { k.b.layout = LayoutMode::NONE; }), bare);
    is("C in NZ", said(1, 1, [](auto& k) { k.c.format = CubeFormat::NZ; }), bare);
    const std::string own = "not-covered: IterateBatch of matrices in local memory, or with copies of the kernel's own";
    is("copies of the kernel's own", said(1, 1, [](auto& k) { k.ownCopies = true; }), own);
    is("A in UB", said(1, 1, none, {MatmulOperand::kLeft}), own);
    is("B in UB", said(1, 1, none, {MatmulOperand::kRight}), own);
    is("both in UB", said(1, 1, none, {MatmulOperand::kLeft, MatmulOperand::kRight}), own);
}

/// [B, S, N, G, D] or [S, B, N, G, D]: heads side by side in a row, a matrix of S x D for each of them.
void Axes() {
    for (const auto layout : {LayoutMode::BSNGD, LayoutMode::SBNGD}) {
        Chance c(449);
        constexpr uint32_t B = 2, N = 2, G = 3, many = B * N * G;
        const auto a = Halves(c, many * kM * kK), b = Halves(c, kK * kN);
        std::vector<float> z(many * kM * kN);
        const auto said = [&](const std::function<void(TCubeTiling&)>& change, uint32_t stride, bool fits) {
            Object o;
            o.kind.a.layout = layout;
            o.kind.b.layout = o.kind.c.layout = LayoutMode::NORMAL;
            o.tiling.ALayoutInfoB = B, o.tiling.ALayoutInfoS = kM, o.tiling.ALayoutInfoN = N, o.tiling.ALayoutInfoG = G,
            o.tiling.ALayoutInfoD = kK;
            change(o.tiling);
            const size_t left = o.p.Store(a), right = o.p.Store(b), to = o.p.Store(std::vector<float>(z.size()));
            for (uint32_t i = 0; i < many; ++i)
                for (int32_t e = 0; e < kM * kN; ++e) {
                    const uint32_t row = static_cast<uint32_t>(e / kN), batch = i / (N * G), head = i % (N * G);
                    const uint32_t line = layout == LayoutMode::BSNGD ? (batch * kM + row) * N * G + head
                                                                      : (row * B + batch) * N * G + head;
                    float sum = 0;
                    for (int32_t k = 0; k < kK; ++k)
                        sum += static_cast<float>(a[line * kK + static_cast<uint32_t>(k)]) *
                               static_cast<float>(b[static_cast<size_t>(k * kN + e % kN)]);
                    z[i * kM * kN + static_cast<uint32_t>(e)] = sum;
                }
            o.p.Then(to, z);
            const auto kernel = [&](Pieces& u) {
                o.Set(u, left, right);
                const twin::Global place = u.Gm<float>(to);
                twin::MatmulIterateBatch(o.state, true, {&place, nullptr, 0, false}, {many, 1, stride, 0}, false);
            };
            return fits ? o.p.Fits(kernel) : o.p.Wrong(kernel);
        };
        const std::string wrong = said([](auto&) {}, 0, true);
        Expect("heads of a layout", wrong.empty(), wrong);
        const int32_t axes[] = {B, kM, N, G, kK};
        for (int axis = 0; axis < 5; ++axis) {
            std::string text;
            for (int i = 0; i < 5; ++i) text += (i == 0 ? "" : ", ") + std::to_string(i == axis ? 0 : axes[i]);
            const std::string seen = said(
                [&](TCubeTiling& t) {
                    int32_t* fields[] = {&t.ALayoutInfoB, &t.ALayoutInfoS, &t.ALayoutInfoN, &t.ALayoutInfoG,
                                         &t.ALayoutInfoD};
                    *fields[axis] = 0;
                },
                0, false);
            Expect("an axis of nothing",
                   seen == "broke matmul-tiling: IterateBatch of a layout with axes, and the tiling has " + text +
                               " of it, or a stride is given",
                   seen);
        }
        const std::string strided = said([](auto&) {}, 960, false);
        Expect("axes and a stride",
               strided ==
                   "broke matmul-tiling: IterateBatch of a layout with axes, and the tiling has 2, 20, 2, 3, 24 of it, "
                   "or a stride is given",
               strided);
    }
}

/// On the cube core alone a tile may go to L0C, in columns of 16.
void IntoL0c() {
    Chance c(439);
    const auto a = Halves(c, kM * kK), b = Halves(c, kK * kN);
    for (const bool parts : {false, true}) {
        Object o(true);
        o.kind.partialOutput = parts;
        o.tiling.baseM = 32;
        o.tiling.baseN = 48;
        std::vector<float> z(32 * 48, 9);
        const size_t left = o.p.Store(a), right = o.p.Store(b), to = o.p.Put(TPosition::CO1, z);
        for (int32_t row = 0; row < kM; ++row)
            for (int32_t column = 0; column < kN; ++column)
                z[static_cast<size_t>(column / 16 * 32 * 16 + row * 16 + column % 16)] =
                    At(a, b, row, column, parts ? 16 : 0);
        o.p.Then(to, z);
        const std::string wrong = o.p.Fits([&](Pieces& u) {
            o.Set(u, left, right);
            const twin::Local result = u.At<float>(to);
            for (int part = 0; part < (parts ? 2 : 1); ++part) twin::MatmulIterate(o.state, true, false, &result);
        });
        Expect(std::string("a tile in L0C") + (parts ? ", of the second part of k" : ""), wrong.empty(), wrong);
    }
}

/// Scales of int8_t results that stand in UB, one for each column.
void ScalesInUb() {
    for (const size_t many : {size_t{36}, size_t{32}}) {
        Chance c(443);
        const auto a = Halves(c, kM * kK), b = Halves(c, kK * kN);
        Object o;
        o.kind = KindOf(Type::kHalf, Type::kInt8);
        std::vector<uint64_t> scales(many);
        for (size_t i = 0; i < many; ++i)
            scales[i] = __builtin_bit_cast(uint32_t, 1.0f / static_cast<float>(1 << i % 4)) | 1ull << 46;
        std::vector<int8_t> expected(kM * kN);
        const size_t left = o.p.Store(a), right = o.p.Store(b), to = o.p.Store(expected),
                     by = o.p.Put(TPosition::VECCALC, scales);
        for (int32_t e = 0; e < kM * kN; ++e)
            expected[static_cast<size_t>(e)] = static_cast<int8_t>(std::min(
                std::max(std::nearbyint(At(a, b, e / kN, e % kN) / static_cast<float>(1 << e % kN % 4)), -128.0f),
                127.0f));
        o.p.Then(to, expected);
        const std::string wrong = o.p.Wrong([&](Pieces& u) {
            o.Set(u, left, right);
            MatmulInput input;
            input.where = MatmulInput::kLocal;
            input.local = u.At<uint64_t>(by);
            twin::MatmulSet("SetQuantVector", o.state, MatmulOperand::kScales, input);
            const twin::Global place = u.Gm<int8_t>(to);
            twin::MatmulIterateAll(o.state, true, {&place, nullptr, 0, false}, false, false);
        });
        Expect(
            std::to_string(many) + " scales in UB",
            wrong == (many == 36 ? "" : "broke matmul-shape: quantTensor of IterateAll has 256 bytes for 36 columns"),
            wrong);
    }
}

}  // namespace

int main() {
    Workspace();
    Parts();
    Sums();
    Batches();
    Axes();
    IntoL0c();
    ScalesInUb();
    return Finish();
}
