// Results that come from memory nobody wrote, as they leave the cube core, Matmul and Cast, and results that find no
// room.
#include "cube_kernels.h"
#include "matmul_direct.h"
#include "pieces.h"

namespace {

void Is(const std::string& name, const std::string& seen, const std::string& expected) {
    Expect(name, seen == expected, seen);
}

/// A product of 32 x 32 of which some fractals of A and B were loaded.
std::string Said(const std::vector<uint32_t>& left, const std::vector<uint32_t>& right, bool rows) {
    auto x = Numbers<half>(512, 1);
    std::vector<float> y(4096);
    const std::string rule = RunCores({Input("x", x), Output("y", y)}, twin::Cores::kCube, 1, [&](uint8_t** args) {
        Bench bench;
        GlobalTensor<half> from;
        GlobalTensor<float> to;
        from.SetGlobalBuffer(reinterpret_cast<half*>(args[0]));
        to.SetGlobalBuffer(reinterpret_cast<float*>(args[1]));
        const LoadData2DParams one(0, 1, 0, 0, 0, false, 0);
        for (const uint32_t i : left) LoadData(bench.l0a.Get<half>()[i * 256], from, one);
        for (const uint32_t i : right) LoadData(bench.l0b.Get<half>()[i * 256], from, one);
        PipeBarrier<PIPE_ALL>();
        Mmad(bench.l0c.Get<float>(), bench.l0a.Get<half>(), bench.l0b.Get<half>(),
             MmadParams(32, 32, 16, 0, false, true));
        PipeBarrier<PIPE_ALL>();
        if (rows)
            Fixpipe<float, float, CFG_ROW_MAJOR>(to, bench.l0c.Get<float>(), FixpipeParamsV220(32, 32, 32, 40, false));
        else Fixpipe<float, float, CFG_NZ>(to, bench.l0c.Get<float>(), FixpipeParamsV220(32, 32, 32, 70, false));
    });
    return rule.empty() ? "" : rule + ": " + told_.message;
}

void Fixpipes() {
    const auto of = [](const std::string& bytes, const std::string& place) {
        return "read-unwritten: bytes " + bytes + " of 'y' hold values that nothing computed: Fixpipe copied " + place +
               " of CO1 buffer 0, which no Mmad had computed from written values";
    };
    Is("all loaded", Said({0, 1}, {0, 1}, true), "");
    Is("the first columns loaded", Said({0, 1}, {0}, true), of("64 to 128", "row 0, column 16"));
    Is("the first rows loaded", Said({0}, {0, 1}, true), of("2560 to 2688", "row 16, column 0"));
    Is("the last rows loaded", Said({1}, {0, 1}, true), of("0 to 128", "row 0, column 0"));
    Is("the first columns loaded, in columns", Said({0, 1}, {0}, false), of("2240 to 2304", "row 0, column 16"));
    Is("the first rows loaded, in columns", Said({0}, {0, 1}, false), of("1024 to 1088", "row 16, column 0"));
}

/// A product of UB into GM or UB.
struct Product {
    static constexpr uint32_t kM = 5, kN = 16, kK = 8;
    Pieces p;
    twin::MatmulKind kind = KindOf(Type::kHalf, Type::kFloat);
    TCubeTiling tiling = Small();
    twin::MatmulState state;
    size_t a, b;
    Product() {
        tiling.singleCoreM = kM;
        tiling.singleCoreN = kN;
        tiling.singleCoreK = kK;
        p.ServeMatmul([this](Pieces&) {
            state = twin::MatmulState();
            twin::MatmulRegister(state, kind, &tiling, GetSysWorkSpacePtr());
        });
        a = p.Put(TPosition::VECCALC, std::vector<half>(kM * kK, half(1)));
        b = p.Put(TPosition::VECCALC, std::vector<half>(kK * kN, half(1)));
    }
    void Set(Pieces& u) {
        MatmulInput input;
        input.where = MatmulInput::kLocal;
        input.local = u.At<uint8_t>(a);
        twin::MatmulSet("SetTensorA", state, MatmulOperand::kLeft, input);
        input.local = u.At<uint8_t>(b);
        twin::MatmulSet("SetTensorB", state, MatmulOperand::kRight, input);
    }
};

void Products() {
    const auto said = [](int row, int column, bool tiles) {
        Product product;
        if (row >= 0)
            product.p.Hide(product.a, (static_cast<size_t>(row) * Product::kK + 2) * 2,
                           (static_cast<size_t>(row) * Product::kK + 2) * 2 + 1);
        if (column >= 0)
            product.p.Hide(product.b, (3 * Product::kN + static_cast<size_t>(column)) * 2,
                           (3 * Product::kN + static_cast<size_t>(column)) * 2 + 1);
        const size_t to = product.p.Store(std::vector<float>(Product::kM * Product::kN));
        const std::string rule = product.p.Rule([&](Pieces& u) {
            product.Set(u);
            const twin::Global place = u.Gm<float>(to);
            const twin::MatmulResult result{&place, nullptr, 0, false};
            if (!tiles) return twin::MatmulIterateAll(product.state, true, result, false, false);
            while (twin::MatmulIterate(product.state, true, false, nullptr))
                twin::MatmulGet(product.state, true, result);
        });
        return rule.empty() ? "" : rule + ": " + told_.message;
    };
    for (const bool tiles : {false, true}) {
        const auto of = [=](const std::string& bytes) {
            return "read-unwritten: bytes " + bytes +
                   " of 'piece2' hold values that nothing computed: " + (tiles ? "GetTensorC" : "IterateAll") +
                   " calculated them from values of A or B that nothing had written";
        };
        Is("all written", said(-1, -1, tiles), "");
        Is("a value of row 3", said(3, -1, tiles), of("192 to 256"));
        Is("a value of column 7", said(-1, 7, tiles), of("28 to 32"));
        Is("a value of column 0", said(-1, 0, tiles), of("0 to 4"));
        Is("a value of the last column", said(-1, 15, tiles), of("60 to 64"));
    }
}

void Rooms() {
    const auto said = [](size_t elements, bool sequential) {
        Product product;
        const size_t to = product.p.Put(TPosition::VECCALC, std::vector<float>(elements));
        const std::string rule = product.p.Rule([&](Pieces& u) {
            product.Set(u);
            const twin::Local place = u.At<uint8_t>(to);
            twin::MatmulIterate(product.state, true, false, nullptr);
            twin::MatmulGet(product.state, true, {nullptr, &place, 0, sequential});
        });
        return rule.empty() ? "" : rule + ": " + told_.message;
    };
    for (const bool sequential : {false, true}) {
        Is("UB for all of C", said(80, sequential), "");
        Is("UB for a row less", said(64, sequential),
           "out-of-buffer: C of GetTensorC covers bytes 256 to 320 of a tensor of 256 bytes");
    }
}

/// enAtomic adds, or takes the larger or the smaller; on a vector core what SetAtomicAdd says is of other copies.
void Atomics() {
    for (const uint8_t atomic : {0, 1, 2, 3})
        for (const bool around : {false, true}) {
            Product product;
            std::vector<float> z(Product::kM * Product::kN);
            for (size_t i = 0; i < z.size(); ++i) z[i] = static_cast<float>(i % 20);
            const size_t to = product.p.Store(z);
            for (float& v : z)
                v = atomic == 0 ? 8 : atomic == 1 ? v + 8 : atomic == 2 ? std::max(v, 8.0f) : std::min(v, 8.0f);
            product.p.Then(to, z);
            const std::string wrong = product.p.Wrong([&](Pieces& u) {
                product.Set(u);
                const twin::Global place = u.Gm<float>(to);
                if (around) SetAtomicMax<float>();
                twin::MatmulIterateAll(product.state, true, {&place, nullptr, atomic, false}, false, false);
                if (around) SetAtomicNone();
            });
            Expect("enAtomic " + std::to_string(atomic), wrong.empty(), wrong);
        }
}

/// A byte of int4b_t holds two values: it is unknown when one of them is, and makes both halves unknown.
void Nibbles() {
    for (const bool narrow : {false, true}) {
        Pieces p;
        const size_t pairs = p.Put(TPosition::VECCALC, std::vector<uint8_t>(32, 0x21));
        const size_t halves = p.Put(TPosition::VECCALC, std::vector<half>(64, half(3)));
        p.Hide(narrow ? halves : pairs, narrow ? 22 : 7, narrow ? 23 : 8);
        p.Hide(narrow ? halves : pairs, narrow ? 127 : 31, narrow ? 128 : 32);
        const std::string known = p.Known(
            narrow ? pairs : halves,
            [&](Pieces& u) {
                if (narrow) Cast(u.At<int4b_t>(pairs), u.At<half>(halves), RoundMode::CAST_RINT, 64);
                else Cast(u.At<half>(halves), u.At<int4b_t>(pairs), RoundMode::CAST_NONE, 64);
            },
            0, narrow ? 32 : 128);
        std::string expected(narrow ? 32 : 128, '1');
        if (narrow) expected[5] = expected[31] = '0';
        else expected.replace(28, 4, "0000").replace(124, 4, "0000");
        Is(narrow ? "half to int4b_t" : "int4b_t to half", known, expected);
    }
}

/// Of two rows, half a byte each comes into one byte of L0B, which is unknown when one of them is.
void Squares() {
    const auto said = [](uint32_t missing) {
        std::vector<int8_t> x(2048, 0x11);
        std::vector<int32_t> y(256);
        const std::string rule = RunCores({Input("x", x), Output("y", y)}, twin::Cores::kCube, 1, [&](uint8_t** args) {
            Bench bench;
            GlobalTensor<int8_t> from;
            GlobalTensor<int32_t> to;
            from.SetGlobalBuffer(reinterpret_cast<int8_t*>(args[0]));
            to.SetGlobalBuffer(reinterpret_cast<int32_t*>(args[1]));
            for (uint32_t row = 0; row < 64; ++row)
                if (row != missing) DataCopy(bench.l1.Get<int8_t>()[row * 32], from, 32);
            LoadData(bench.l0a.Get<int8_t>(), from, LoadData2DParams(0, 1, 0, 0, 0, false, 0));
            PipeBarrier<PIPE_ALL>();
            LoadDataWithTranspose(bench.l0b.Get<int4b_t>(), bench.l1.Get<int4b_t>(),
                                  LoadData2dTransposeParams(0, 1, 0, 0, 0));
            PipeBarrier<PIPE_ALL>();
            Mmad(bench.l0c.Get<int32_t>(), bench.l0a.Get<int4b_t>(), bench.l0b.Get<int4b_t>(),
                 MmadParams(16, 16, 64, 0, false, true));
            PipeBarrier<PIPE_ALL>();
            Fixpipe(to, bench.l0c.Get<int32_t>(), FixpipeParamsV220(16, 16, 16, 16, false));
        });
        return rule;
    };
    Is("a square of int4b_t", said(64), "");
    for (const uint32_t row : {0u, 1u, 62u, 63u})
        Is("a square of int4b_t without row " + std::to_string(row), said(row), "read-unwritten");
}

}  // namespace

int main() {
    Squares();
    Fixpipes();
    Products();
    Rooms();
    Atomics();
    Nibbles();
    return Finish();
}
