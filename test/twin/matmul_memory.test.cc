// Memory that a calculation of the high-level Matmul still uses, and results of unwritten values.
#include "matmul_direct.h"
#include "pieces.h"

namespace {

/// A calculation that nobody waited for: each element of GM is free, or read, or written by it.
void InFlight() {
    constexpr uint32_t m = 3, n = 18, k = 5, wideA = 8, wideB = 20, wideC = 22;
    for (const bool turned : {false, true})
        for (const bool columns : {false, true})
            for (const uint32_t which : {0u, 1u, 2u}) {
                twin::MatmulKind kind = KindOf(Type::kHalf, Type::kHalf);
                if (columns) kind.a.format = kind.b.format = kind.c.format = CubeFormat::NZ;
                TCubeTiling tiling = Small();
                tiling.singleCoreM = m;
                tiling.singleCoreN = n;
                tiling.singleCoreK = k;
                const uint32_t orgM = columns  ? 16
                                      : turned ? wideA
                                               : 4,
                               orgN = columns  ? 32
                                      : turned ? 19
                                               : wideB,
                               ka = columns  ? 16
                                    : turned ? 6
                                             : wideA,
                               kb = columns  ? 16
                                    : turned ? wideB
                                             : 6;
                Pieces u;
                const size_t pieces[] = {u.Store(std::vector<half>(512, half(1))),
                                         u.Store(std::vector<half>(512, half(1))),
                                         u.Store(std::vector<half>(512, half(1)))};
                twin::MatmulState state;
                u.ServeMatmul([&](Pieces&) {
                    state = twin::MatmulState();
                    twin::MatmulRegister(state, kind, &tiling, GetSysWorkSpacePtr());
                });
                const auto uses = [&](uint32_t i) {
                    const uint32_t rows = which == 0 ? m : which == 1 ? k : m, across = which == 0 ? k : n;
                    const bool flip = turned && which < 2;
                    const uint32_t high = flip ? across : rows, wide = flip ? rows : across;
                    // In columns of 16 the whole of a column's rows is taken.
                    const uint32_t height = which == 0 ? (flip ? ka : orgM) : which == 1 ? (flip ? orgN : kb) : 16;
                    if (columns) return i / (height * 16) <= (wide - 1) / 16 && i % (height * 16) / 16 < high;
                    const uint32_t pitch = which == 0 ? (flip ? orgM : ka) : which == 1 ? (flip ? kb : orgN) : wideC;
                    return i / pitch < high && i % pitch < wide;
                };
                std::string wrong;
                for (uint32_t i = 0; i < 512 && wrong.empty(); ++i) {
                    const bool writes = which < 2;
                    const std::string rule = u.Rule([&](Pieces& p) {
                        twin::MatmulOrgShape(state, orgM, orgN, ka, kb, wideC);
                        twin::MatmulSet("SetTensorA", state, MatmulOperand::kLeft, InGm(p.Gm<half>(pieces[0]), turned));
                        twin::MatmulSet("SetTensorB", state, MatmulOperand::kRight,
                                        InGm(p.Gm<half>(pieces[1]), turned));
                        const twin::Global to = p.Gm<half>(pieces[2]);
                        twin::MatmulIterateAll(state, false, {&to, nullptr, 0, false}, true, false);
                        auto gm = p.Gm<half>(pieces[which]);
                        if (writes) gm.SetValue(i, half(1));
                        else gm.GetValue(i);
                        twin::MatmulWait("WaitIterateAll", state);
                        gm.GetValue(i);
                    });
                    const std::string said =
                        writes ? " writes memory that an asynchronous calculation of Matmul still reads"
                               : " reads memory that an asynchronous calculation of Matmul still writes";
                    if (rule != (uses(i) ? "gm-race" : "") ||
                        (uses(i) && told_.message.find(said) == std::string::npos))
                        wrong = "element " + std::to_string(i) + " broke '" + rule + "': " + told_.message;
                }
                const std::string name = std::string(columns ? "columns" : "rows") + (turned ? ", turned" : "") +
                                         " of " +
                                         (which == 0   ? "A"
                                          : which == 1 ? "B"
                                                       : "C");
                Expect("memory in use: " + name, wrong.empty(), wrong);
            }
}

/// An unwritten value of A leaves its row of C unwritten, one of B its column.
void Unwritten() {
    constexpr uint32_t m = 5, n = 16, k = 8;
    for (const bool turned : {false, true})
        for (const bool tiles : {false, true}) {
            twin::MatmulKind kind = KindOf(Type::kHalf, Type::kFloat);
            TCubeTiling tiling = Small();
            tiling.singleCoreM = m;
            tiling.singleCoreN = n;
            tiling.singleCoreK = k;
            Pieces u;
            const size_t a = u.Put(TPosition::VECCALC, std::vector<half>(m * k, half(1))),
                         b = u.Put(TPosition::VECCALC, std::vector<half>(k * n, half(1))),
                         c = u.Put(TPosition::VECCALC, std::vector<float>(m * n));
            const uint32_t row = 3, column = 7;
            const auto hide = [&](size_t piece, uint32_t at) { u.Hide(piece, at * 2, at * 2 + 2); };
            hide(a, turned ? 2 * m + row : row * k + 2);
            hide(b, turned ? column * k + 6 : 6 * n + column);
            u.Hide(c, 0, m * n * 4);
            twin::MatmulState state;
            u.ServeMatmul([&](Pieces&) {
                state = twin::MatmulState();
                twin::MatmulRegister(state, kind, &tiling, GetSysWorkSpacePtr());
            });
            const auto local = [&](Pieces& p, size_t piece) {
                MatmulInput input;
                input.where = MatmulInput::kLocal;
                input.local = p.At<uint8_t>(piece);
                input.transposed = turned;
                return input;
            };
            const std::string known = u.Known(
                c,
                [&](Pieces& p) {
                    twin::MatmulSet("SetTensorA", state, MatmulOperand::kLeft, local(p, a));
                    twin::MatmulSet("SetTensorB", state, MatmulOperand::kRight, local(p, b));
                    const twin::Local to = p.At<uint8_t>(c);
                    const twin::MatmulResult result{nullptr, &to, 0, false};
                    if (!tiles) return twin::MatmulIterateAll(state, true, result, false, false);
                    while (twin::MatmulIterate(state, true, false, nullptr)) twin::MatmulGet(state, true, result);
                },
                0, m * n * 4);
            std::string expected;
            for (uint32_t i = 0; i < m * n; ++i)
                expected += std::string(4, i / n == row || i % n == column ? '0' : '1');
            Expect(std::string("unwritten values") + (turned ? ", turned" : "") + (tiles ? ", by tiles" : ""),
                   known == expected, known);
        }
}

}  // namespace

int main() {
    InFlight();
    Unwritten();
    return Finish();
}
