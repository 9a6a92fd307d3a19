// The limits of the high-level Matmul: tilings, shapes, the order of calls, and memory that a calculation still uses.
#include "cube_limits.h"
#include "matmul_direct.h"
#include "pieces.h"

namespace {

/// An object of halves with a tiling, on a cube core with GM of 32768 halves.
void Calls(const std::string& name, const std::string& expected,
           const std::function<void(twin::MatmulState&, const GlobalTensor<half>&)>& calls,
           const twin::MatmulKind& kind = KindOf(Type::kHalf, Type::kFloat), const TCubeTiling& tiling = Small()) {
    twin::MatmulState state;
    Said(name, expected, [&](const GlobalTensor<half>& gm) {
        state = twin::MatmulState();
        twin::MatmulRegister(state, kind, &tiling, nullptr);
        calls(state, gm);
    });
}

void Tiles(const std::string& name, const std::string& expected, Type in,
           const std::function<void(TCubeTiling&)>& change) {
    TCubeTiling t = Small();
    change(t);
    Calls(
        name, expected.empty() ? "" : "matmul-tiling: " + expected, [](auto&, const auto&) {},
        KindOf(in, in == Type::kHalf ? Type::kFloat : Type::kInt32), t);
}

void Tilings() {
    const std::pair<const char*, int32_t TCubeTiling::*> fields[] = {{"usedCoreNum", &TCubeTiling::usedCoreNum},
                                                                     {"M", &TCubeTiling::M},
                                                                     {"N", &TCubeTiling::N},
                                                                     {"Ka", &TCubeTiling::Ka},
                                                                     {"Kb", &TCubeTiling::Kb},
                                                                     {"singleCoreM", &TCubeTiling::singleCoreM},
                                                                     {"singleCoreN", &TCubeTiling::singleCoreN},
                                                                     {"singleCoreK", &TCubeTiling::singleCoreK},
                                                                     {"baseM", &TCubeTiling::baseM},
                                                                     {"baseN", &TCubeTiling::baseN},
                                                                     {"baseK", &TCubeTiling::baseK},
                                                                     {"depthA1", &TCubeTiling::depthA1},
                                                                     {"depthB1", &TCubeTiling::depthB1},
                                                                     {"stepM", &TCubeTiling::stepM},
                                                                     {"stepN", &TCubeTiling::stepN},
                                                                     {"stepKa", &TCubeTiling::stepKa},
                                                                     {"stepKb", &TCubeTiling::stepKb},
                                                                     {"dbL0A", &TCubeTiling::dbL0A},
                                                                     {"dbL0B", &TCubeTiling::dbL0B},
                                                                     {"dbL0C", &TCubeTiling::dbL0C}};
    for (const auto& [name, field] : fields) {
        const auto one = field;
        Tiles(std::string("no ") + name, std::string(name) + " of the tiling is 0", Type::kHalf,
              [=](auto& t) { t.*one = 0; });
    }
    Tiles("one of each", "", Type::kHalf, [](auto&) {});
    const auto bases = [](const std::string& m, const std::string& n, const std::string& k, const std::string& unit) {
        return "baseM " + m + ", baseN " + n + ", baseK " + k + " of the tiling are no multiples of 16, 16 and " + unit;
    };
    Tiles("baseM of 24", bases("24", "16", "16", "16"), Type::kHalf, [](auto& t) { t.baseM = 24; });
    Tiles("baseN of 24", bases("16", "24", "16", "16"), Type::kHalf, [](auto& t) { t.baseN = 24; });
    Tiles("baseK of 24", bases("16", "16", "24", "16"), Type::kHalf, [](auto& t) { t.baseK = 24; });
    Tiles("baseK of 24 floats", "", Type::kFloat, [](auto& t) { t.baseK = 24; });
    Tiles("baseK of 20 floats", bases("16", "16", "20", "8"), Type::kFloat, [](auto& t) { t.baseK = 20; });
    Tiles("baseK of 16 bytes", "", Type::kInt8, [](auto&) {});
    Tiles("baseK of 24 bytes", bases("16", "16", "24", "16"), Type::kInt8, [](auto& t) { t.baseK = 24; });
    Tiles("baseK of 24 numbers of 4 bits", bases("16", "16", "24", "16"), Type::kInt4, [](auto& t) { t.baseK = 24; });
    const auto wants = [](const std::string& bytes, const std::string& memory, const std::string& has,
                          const std::string& m, const std::string& n, const std::string& k, const std::string& a = "1",
                          const std::string& b = "1") {
        return "the tiling wants " + bytes + " bytes of " + memory + ", which has " + has + ": baseM " + m +
               ", baseN " + n + ", baseK " + k + ", depthA1 " + a + ", depthB1 " + b;
    };
    Tiles("all of L0A", "", Type::kHalf, [](auto& t) {
        t.baseM = t.baseK = 128;
        t.dbL0A = 2;
    });
    Tiles("more than L0A", wants("73728", "L0A", "65536", "144", "16", "128"), Type::kHalf, [](auto& t) {
        t.baseM = 144;
        t.baseK = 128;
        t.dbL0A = 2;
    });
    Tiles("all of L0B", "", Type::kHalf, [](auto& t) {
        t.baseN = t.baseK = 128;
        t.dbL0B = 2;
    });
    Tiles("more than L0B", wants("73728", "L0B", "65536", "16", "144", "128"), Type::kHalf, [](auto& t) {
        t.baseN = 144;
        t.baseK = 128;
        t.dbL0B = 2;
    });
    Tiles("all of L0C", "", Type::kHalf, [](auto& t) {
        t.baseM = t.baseN = 128;
        t.dbL0C = 2;
    });
    Tiles("more than L0C", wants("147456", "L0C", "131072", "128", "144", "16"), Type::kHalf, [](auto& t) {
        t.baseM = 128;
        t.baseN = 144;
        t.dbL0C = 2;
    });
    Tiles("all of the bias table", "", Type::kHalf, [](auto& t) {
        t.baseN = 256;
        t.isBias = 1;
    });
    Tiles("more than the bias table", wants("1088", "the bias table", "1024", "16", "272", "16"), Type::kHalf,
          [](auto& t) {
              t.baseN = 272;
              t.isBias = 1;
          });
    Tiles("as many columns without bias", "", Type::kHalf, [](auto& t) { t.baseN = 272; });
    Tiles("all of L0A in 4 bits", "", Type::kInt4, [](auto& t) {
        t.baseM = 128;
        t.baseK = 1024;
        t.baseN = 16;
    });
    Tiles("more than L0A in 4 bits", wants("73728", "L0A", "65536", "144", "16", "1024"), Type::kInt4, [](auto& t) {
        t.baseM = 144;
        t.baseK = 1024;
    });
    const auto depth = [](const std::string& a, const std::string& b, const std::string& am, const std::string& bn) {
        return "depthA1 " + a + " and depthB1 " + b + " of the tiling are no multiples of stepM * stepKa = " + am +
               " and stepN * stepKb = " + bn;
    };
    Tiles("steps in each depth", "", Type::kHalf, [](auto& t) {
        t.depthA1 = 12;
        t.stepM = 2;
        t.stepKa = 3;
        t.depthB1 = 10;
        t.stepN = 5;
        t.stepKb = 2;
    });
    Tiles("A in other steps", depth("5", "10", "6", "10"), Type::kHalf, [](auto& t) {
        t.depthA1 = 5;
        t.stepM = 2;
        t.stepKa = 3;
        t.depthB1 = 10;
        t.stepN = 5;
        t.stepKb = 2;
    });
    Tiles("B in other steps", depth("6", "15", "6", "10"), Type::kHalf, [](auto& t) {
        t.depthA1 = 6;
        t.stepM = 2;
        t.stepKa = 3;
        t.depthB1 = 15;
        t.stepN = 5;
        t.stepKb = 2;
    });
    const auto l1 = [](int32_t a, int32_t b, int32_t bias) {
        return [=](TCubeTiling& t) {
            t.baseM = t.baseN = 128;
            t.baseK = 64;
            t.depthA1 = a;
            t.depthB1 = b;
            t.isBias = bias;
        };
    };
    Tiles("all of L1", "", Type::kHalf, l1(20, 12, 0));
    Tiles("more than L1", wants("540672", "L1", "524288", "128", "128", "64", "20", "13"), Type::kHalf, l1(20, 13, 0));
    Tiles("all of L1 and a bias", wants("524800", "L1", "524288", "128", "128", "64", "20", "12"), Type::kHalf,
          l1(20, 12, 1));
    Tiles("L1 with a bias", "", Type::kHalf, l1(20, 11, 1));
}

void Shapes() {
    const auto org = [](int m, int n, int ka, int kb, int kc) {
        return [=](twin::MatmulState& s, const auto&) { twin::MatmulOrgShape(s, m, n, ka, kb, kc); };
    };
    const auto of = [](const std::string& sizes) { return "matmul-shape: SetOrgShape with " + sizes; };
    Calls("a matrix of 1 x 1", "", org(1, 1, 1, 1, 0));
    Calls("no M", of("M 0, N 2, Ka 3, Kb 4, Kc 5"), org(0, 2, 3, 4, 5));
    Calls("no N", of("M 1, N 0, Ka 3, Kb 4, Kc 5"), org(1, 0, 3, 4, 5));
    Calls("no Ka", of("M 1, N 2, Ka 0, Kb 4, Kc 5"), org(1, 2, 0, 4, 5));
    Calls("no Kb", of("M 1, N 2, Ka 3, Kb 0, Kc 5"), org(1, 2, 3, 0, 5));
    Calls("less than no Kc", of("M 1, N 2, Ka 3, Kb 4, Kc -1"), org(1, 2, 3, 4, -1));
    const auto single = [](int m, int n, int k) {
        return [=](twin::MatmulState& s, const auto&) { twin::MatmulSingleShape("SetSingleShape", s, m, n, k); };
    };
    Calls("sizes that stay", "", single(-1, -1, -1));
    Calls("sizes of 1", "", single(1, 1, 1));
    for (const int size : {0, -2}) {
        const auto text = std::to_string(size);
        Calls("M of " + text, "matmul-shape: SetSingleShape with " + text + ", 2, 3", single(size, 2, 3));
        Calls("N of " + text, "matmul-shape: SetSingleShape with 1, " + text + ", 3", single(1, size, 3));
        Calls("K of " + text, "matmul-shape: SetSingleShape with 1, 2, " + text, single(1, 2, size));
    }
    for (int which = 0; which < 3; ++which) {
        twin::MatmulState state;
        Said("one size alone is changed", "", [&](const GlobalTensor<half>&) {
            const auto kind = KindOf(Type::kHalf, Type::kFloat);
            const auto tiling = Small();
            twin::MatmulRegister(state, kind, &tiling, nullptr);
            twin::MatmulSingleShape("SetTail", state, which == 0 ? 3 : -1, which == 1 ? 3 : -1, which == 2 ? 3 : -1);
        });
        Expect("sizes are " + std::to_string(which), state.m == (which == 0 ? 3 : 16) &&
                                                         state.n == (which == 1 ? 3 : 16) &&
                                                         state.k == (which == 2 ? 3 : 16));
    }
}

void Transposes() {
    for (const Type type : {Type::kHalf, Type::kBfloat16, Type::kFloat, Type::kInt8})
        for (const bool may : {false, true})
            for (const bool transposed : {false, true}) {
                const bool halves = type == Type::kHalf || type == Type::kBfloat16;
                const std::string name = type == Type::kHalf    ? "half"
                                         : type == Type::kFloat ? "float"
                                         : type == Type::kInt8  ? "int8_t"
                                                                : "bfloat16_t";
                std::string expected;
                if (transposed && !may)
                    expected =
                        "matmul-shape: SetTensorB with a transposed matrix, and the MatmulType does not allow it";
                if (!transposed && may && !halves)
                    expected = "matmul-shape: SetTensorB of " + name +
                               " without transposition, and the MatmulType has ISTRANS";
                Calls(
                    name + (transposed ? " transposed" : "") + (may ? " with ISTRANS" : ""), expected,
                    [=](twin::MatmulState& s, const auto& gm) {
                        twin::MatmulSet("SetTensorB", s, MatmulOperand::kRight, InGm(gm, transposed));
                    },
                    KindOf(type, Type::kFloat, may));
            }
}

/// What must come before a calculation.
void Order() {
    const auto all = [](twin::MatmulState& s, const GlobalTensor<half>& gm) {
        const twin::Global to = gm;
        twin::MatmulIterateAll(s, true, {&to, nullptr, 0, false}, false, false);
    };
    const auto set = [](twin::MatmulState& s, const GlobalTensor<half>& gm, bool left, bool right) {
        if (left) twin::MatmulSet("SetTensorA", s, MatmulOperand::kLeft, InGm(gm));
        if (right) twin::MatmulSet("SetTensorB", s, MatmulOperand::kRight, InGm(gm));
    };
    Calls("nothing set", "matmul-order: IterateAll without SetTensorA before it",
          [=](auto& s, const auto& gm) { all(s, gm); });
    Calls("A set", "matmul-order: IterateAll without SetTensorB before it", [=](auto& s, const auto& gm) {
        set(s, gm, true, false);
        all(s, gm);
    });
    Calls("B set", "matmul-order: IterateAll without SetTensorA before it", [=](auto& s, const auto& gm) {
        set(s, gm, false, true);
        all(s, gm);
    });
    Calls("neither set anew", "matmul-order: Iterate without a new SetTensorA or SetTensorB before it",
          [=](auto& s, const auto& gm) {
              set(s, gm, true, true);
              twin::MatmulIterate(s, true, false, nullptr);
              twin::MatmulEnd(s);
              twin::MatmulIterate(s, true, false, nullptr);
          });
    TCubeTiling biased = Small();
    biased.isBias = 1;
    Calls(
        "a bias that the tiling promises", "matmul-order: Iterate with isBias in the tiling and no SetBias",
        [=](auto& s, const auto& gm) {
            set(s, gm, true, true);
            twin::MatmulIterate(s, true, false, nullptr);
        },
        KindOf(Type::kHalf, Type::kFloat), biased);
    Calls(
        "no bias after all", "",
        [=](auto& s, const auto& gm) {
            set(s, gm, true, true);
            twin::MatmulNoBias("DisableBias", s);
            twin::MatmulIterate(s, true, false, nullptr);
        },
        KindOf(Type::kHalf, Type::kFloat), biased);
    Calls("a bias that the tiling has not", "matmul-order: SetBias and isBias of the tiling is 0",
          [=](auto& s, const auto& gm) { twin::MatmulSet("SetBias", s, MatmulOperand::kBias, InGm(gm)); });
    const std::pair<Type, Type> kinds[] = {{Type::kHalf, Type::kInt8}, {Type::kInt8, Type::kInt8},
                                           {Type::kInt8, Type::kHalf}, {Type::kInt4, Type::kHalf},
                                           {Type::kHalf, Type::kHalf}, {Type::kInt8, Type::kInt32}};
    for (const auto& [in, out] : kinds) {
        const bool scaled = out == Type::kInt8 || (out == Type::kHalf && in != Type::kHalf);
        const std::string gives = out == Type::kInt8 ? "int8_t" : "half";
        Calls(
            "narrow results", scaled ? "matmul-scale: Iterate gives " + gives + " and no scale is set" : "",
            [=](auto& s, const auto& gm) {
                set(s, gm, true, true);
                twin::MatmulIterate(s, true, false, nullptr);
            },
            KindOf(in, out, false));
        Calls(
            "narrow results with a scale", "",
            [=](auto& s, const auto& gm) {
                set(s, gm, true, true);
                twin::MatmulScale(s, 1);
                twin::MatmulIterate(s, true, false, nullptr);
            },
            KindOf(in, out, false));
    }
    Calls("a tile without Iterate", "matmul-order: GetTensorC without Iterate before it", [=](auto& s, const auto& gm) {
        set(s, gm, true, true);
        const twin::Global to = gm;
        twin::MatmulGet(s, true, {&to, nullptr, 0, false});
    });
    Calls("a tile of matrices that changed", "matmul-order: GetTensorC without Iterate before it",
          [=](auto& s, const auto& gm) {
              set(s, gm, true, true);
              twin::MatmulIterate(s, true, false, nullptr);
              set(s, gm, true, false);
              const twin::Global to = gm;
              twin::MatmulGet(s, true, {&to, nullptr, 0, false});
          });
    Calls("a tile out of no workspace",
          "matmul-order: GetTensorC out of the workspace, where no tile of an asynchronous Iterate is left",
          [=](auto& s, const auto& gm) {
              set(s, gm, true, true);
              twin::MatmulIterate(s, true, false, nullptr);
              twin::MatmulGetCached(s);
          });
    Calls("Iterate without a workspace", "matmul-order: Iterate<false> without SetWorkspace",
          [=](auto& s, const auto& gm) {
              set(s, gm, true, true);
              twin::MatmulIterate(s, false, false, nullptr);
          });
    Calls("a wait for nothing",
          "wait-without-set: WaitIterateAll and no calculation of the object that was started asynchronously with the "
          "promise to wait; on the device it would wait for ever",
          [](auto& s, const auto&) { twin::MatmulWait("WaitIterateAll", s); });
    for (const uint8_t atomic : {3, 4}) {
        Calls("enAtomic of " + std::to_string(atomic),
              atomic == 4 ? "matmul-shape: enAtomic 4 of IterateAll is outside 0 to 3"
                          : "write-to-input: IterateAll writes bytes 0 to 64 of 'gm', which is an input",
              [=](auto& s, const auto& gm) {
                  set(s, gm, true, true);
                  const twin::Global to = gm;
                  twin::MatmulIterateAll(s, true, {&to, nullptr, atomic, false}, false, false);
              });
    }
}

/// A fifth object is one too many.
void Objects() {
    for (const uint32_t many : {4u, 5u}) {
        std::vector<twin::MatmulState> states(many);
        const auto kind = KindOf(Type::kHalf, Type::kFloat);
        const auto tiling = Small();
        Said(std::to_string(many) + " objects",
             many == 4 ? "" : "matmul-init: REGIST_MATMUL_OBJ of a fifth Matmul object", [&](const auto&) {
                 for (auto& state : states) twin::MatmulRegister(state, kind, &tiling, nullptr);
             });
    }
}

}  // namespace

int main() {
    Tilings();
    Shapes();
    Transposes();
    Order();
    Objects();
    return Finish();
}
