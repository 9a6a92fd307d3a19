// Operands in memories of their own size: what an instruction writes and leaves alone, the last byte that it touches,
// and that a core without these memories does nothing.
#ifndef TWIN_TEST_PIECES_H
#define TWIN_TEST_PIECES_H

#include "chance.h"
#include "expect.h"
#include "twin/matmul_state.h"

class Pieces {
public:
    using Kernel = std::function<void(Pieces&)>;

    /// A tensor with values in it, in the memory of a position; the piece's number.
    template <typename T>
    size_t Put(AscendC::TPosition where, const std::vector<T>& values) {
        return Add(where, 0, values.data(), values.size() * sizeof(T));
    }
    /// The same in GM, where the kernel may write.
    template <typename T>
    size_t Store(const std::vector<T>& values) {
        return Add(AscendC::TPosition::GM, sizeof(T), values.data(), values.size() * sizeof(T));
    }
    template <typename T>
    AscendC::LocalTensor<T> At(size_t piece) const {
        return pieces_[piece].view.template ReinterpretCast<T>();
    }
    template <typename T>
    AscendC::GlobalTensor<T> Gm(size_t piece) const {
        AscendC::GlobalTensor<T> tensor;
        tensor.SetGlobalBuffer(reinterpret_cast<T*>(pieces_[piece].address));
        return tensor;
    }
    /// What the piece must hold afterwards; all others keep their values.
    template <typename T>
    void Then(size_t piece, const std::vector<T>& values) {
        std::memcpy(pieces_[piece].after.data(), values.data(), values.size() * sizeof(T));
    }
    /// A piece whose values afterwards are not this check's.
    void Any(size_t piece) { pieces_[piece].any = true; }
    void Unhide() {
        for (Piece& piece : pieces_) piece.hidden.clear();
    }
    /// Bytes that nobody wrote before: of a tensor in UB, from the first on and before the last.
    void Hide(size_t piece, size_t first, size_t last) { pieces_[piece].hidden.emplace_back(first, last); }
    /// For each byte of a tensor in UB, from the first on and before the last, whether the kernel leaves a written
    /// value there, 1 or 0: one launch asks for one.
    std::string Known(size_t piece, const Kernel& kernel, size_t first, size_t last) {
        std::string known(last - first, '0');
        for (size_t i = first; i < last; ++i) {
            const std::string rule = RuleOn(
                [&](Pieces& p) {
                    kernel(p);
                    AscendC::PipeBarrier<PIPE_ALL>();
                    p.At<uint8_t>(piece).GetValue(static_cast<uint32_t>(i));
                },
                kNone);
            known[i - first] = rule.empty() ? '1' : '0';
            if (!rule.empty() && rule != "read-unwritten") return rule + ": " + told_.message;
        }
        return known;
    }
    /// Whether the kernel leaves a written value in one byte of a tensor in UB, 1 or 0.
    char Knows(size_t piece, const Kernel& kernel, size_t byte) { return Known(piece, kernel, byte, byte + 1)[0]; }
    /// Runs on a vector core whose block has a cube core for the calculations of Matmul: `first` comes before any
    /// buffer.
    void ServeMatmul(const Kernel& first) {
        served_ = true;
        first_ = first;
    }
    /// Runs the kernel: what is wrong with it or with the memories, "" when nothing.
    std::string Wrong(const Kernel& kernel) {
        const std::string rule = RuleOn(kernel, kNone);
        return rule.empty() ? Difference(false) : "broke " + rule + ": " + told_.message;
    }
    /// The same, and every piece must be needed to its end: with a block less of it, in GM an element, the kernel
    /// breaks a bound. What has no more than that cannot have less.
    std::string Fits(const Kernel& kernel) {
        const std::string wrong = Wrong(kernel);
        for (size_t i = 0; i < pieces_.size() && wrong.empty(); ++i) {
            if (pieces_[i].before.size() <= pieces_[i].unit) continue;
            const std::string rule = RuleOn(kernel, i);
            if (rule != (pieces_[i].where == AscendC::TPosition::GM ? "gm-out-of-range" : "out-of-buffer"))
                return "with less of piece " + std::to_string(i) + " broke '" + rule + "'";
        }
        return wrong;
    }
    /// On a core of the other kind, which has none of these memories, nothing is done and no rule broken.
    std::string Idles(const Kernel& kernel) {
        const std::string rule = RuleOn(kernel, kNone, true);
        return rule.empty() ? Difference(true) : "broke " + rule + ": " + told_.message;
    }
    template <typename T>
    std::vector<T> Before(size_t piece) const {
        std::vector<T> values(pieces_[piece].before.size() / sizeof(T));
        std::memcpy(values.data(), pieces_[piece].before.data(), values.size() * sizeof(T));
        return values;
    }
    template <typename T>
    std::vector<T> Seen(size_t piece) const {
        std::vector<T> values(pieces_[piece].seen.size() / sizeof(T));
        std::memcpy(values.data(), pieces_[piece].seen.data(), values.size() * sizeof(T));
        return values;
    }
    /// The rule that the kernel breaks, "" when none.
    std::string Rule(const Kernel& kernel) { return RuleOn(kernel, kNone); }

private:
    static constexpr size_t kNone = ~size_t{0};
    struct Piece {
        AscendC::TPosition where;
        size_t unit;
        std::vector<uint8_t> before, after, seen;
        AscendC::LocalTensor<uint8_t> view;
        uint8_t* address = nullptr;
        std::vector<std::pair<size_t, size_t>> hidden;
        bool any = false;
        /// Some byte of these.
        bool Hides(size_t begin, size_t end) const {
            for (const auto& [first, last] : hidden)
                if (begin < last && first < end) return true;
            return false;
        }
    };

    /// What lies before a piece, as none starts at the first byte of its memory.
    static uint32_t BytesBefore(AscendC::TPosition where) {
        using AscendC::TPosition;
        if (where == TPosition::A2 || where == TPosition::B2) return 512;
        if (where == TPosition::CO1) return 1024;
        if (where == TPosition::C2) return 64;
        return where == TPosition::C2PIPE2GM ? 128 : 32;
    }
    size_t Add(AscendC::TPosition where, size_t unit, const void* values, size_t bytes) {
        Piece piece{where, unit == 0 ? 32 : unit, {}, {}, {}, {}, nullptr, {}, false};
        piece.before.assign(static_cast<const uint8_t*>(values), static_cast<const uint8_t*>(values) + bytes);
        if (unit == 0) piece.before.resize((bytes + 31) / 32 * 32, 0x5a);
        piece.after = piece.before;
        pieces_.push_back(std::move(piece));
        return pieces_.size() - 1;
    }
    std::string Difference(bool before) const {
        if (!guarded_) return "memory beside the operands changes";
        for (size_t p = 0; p < pieces_.size(); ++p) {
            if (pieces_[p].any) continue;
            const auto& expected = before ? pieces_[p].before : pieces_[p].after;
            for (size_t i = 0; i < expected.size(); ++i)
                if (pieces_[p].seen[i] != expected[i])
                    return "byte " + std::to_string(i) + " of piece " + std::to_string(p) + " is " +
                           std::to_string(pieces_[p].seen[i]) + ", expected " + std::to_string(expected[i]);
        }
        return "";
    }
    template <AscendC::TPosition where>
    static AscendC::LocalTensor<uint8_t> Buffer(AscendC::TPipe& pipe, uint32_t bytes) {
        AscendC::TBuf<where> buffer;
        pipe.InitBuffer(buffer, bytes);
        return buffer.template Get<uint8_t>();
    }
    static AscendC::LocalTensor<uint8_t> BufferAt(AscendC::TPosition where, AscendC::TPipe& pipe, uint32_t bytes) {
        using AscendC::TPosition;
        switch (where) {
            case TPosition::A1: return Buffer<TPosition::A1>(pipe, bytes);
            case TPosition::A2: return Buffer<TPosition::A2>(pipe, bytes);
            case TPosition::B2: return Buffer<TPosition::B2>(pipe, bytes);
            case TPosition::CO1: return Buffer<TPosition::CO1>(pipe, bytes);
            case TPosition::C2: return Buffer<TPosition::C2>(pipe, bytes);
            case TPosition::C2PIPE2GM: return Buffer<TPosition::C2PIPE2GM>(pipe, bytes);
            default: return Buffer<TPosition::VECCALC>(pipe, bytes);
        }
    }
    bool OnCube() const {
        for (const Piece& piece : pieces_)
            if (piece.where != AscendC::TPosition::GM && piece.where != AscendC::TPosition::VECCALC) return true;
        return false;
    }
    void Set(Piece& piece, uint8_t* gm) {
        const size_t bytes = std::min<size_t>(piece.view.bytes, piece.before.size());
        if (!piece.hidden.empty()) {
            AscendC::GlobalTensor<uint8_t> from;
            from.SetGlobalBuffer(gm);
            for (uint32_t block = 0; block < bytes; block += 32) {
                if (!piece.Hides(block, block + 32)) AscendC::DataCopy(piece.view[block], from[block], 32);
                for (uint32_t i = block; i < block + 32 && piece.Hides(block, block + 32); ++i)
                    if (!piece.Hides(i, i + 1)) piece.view.SetValue(i, piece.before[i]);
            }
        } else if (piece.where == AscendC::TPosition::VECCALC) {
            AscendC::GlobalTensor<uint8_t> from;
            from.SetGlobalBuffer(gm);
            AscendC::DataCopy(piece.view, from, static_cast<uint32_t>(bytes));
        } else {
            // The address makes all of it count as written.
            std::memcpy(reinterpret_cast<void*>(piece.view.GetPhyAddr()), piece.before.data(), bytes);
        }
    }
    /// Memory beside a piece, which is the kernel's and which no instruction here has to do with.
    void Guard(const AscendC::LocalTensor<uint8_t>& beside) { guards_.push_back(beside); }
    bool SetGuards(bool check) {
        bool same = true;
        for (const auto& guard : guards_)
            for (uint32_t i = 0; i < guard.bytes; ++i) {
                if (check) same = same && guard.data[i] == kGuard;
                else guard.data[i] = kGuard;
            }
        return same;
    }
    void Body(uint8_t** gm, const Kernel& kernel, size_t less, bool other) {
        AscendC::TPipe pipe;
        guards_.clear();
        if (first_) first_(*this);
        for (size_t i = 0; i < pieces_.size(); ++i) {
            Piece& piece = pieces_[i];
            piece.address = gm[i];
            if (piece.where == AscendC::TPosition::GM) continue;
            Guard(BufferAt(piece.where, pipe, BytesBefore(piece.where)));
            piece.view = BufferAt(piece.where, pipe, piece.before.size() - (i == less ? piece.unit : 0));
            if (piece.where == AscendC::TPosition::VECCALC) Guard(BufferAt(piece.where, pipe, 32));
            if (!other) Set(piece, gm[i]);
        }
        AscendC::PipeBarrier<PIPE_ALL>();
        if (!other) SetGuards(false);
        kernel(*this);
        AscendC::PipeBarrier<PIPE_ALL>();
        guarded_ = other || SetGuards(true);
        for (Piece& piece : pieces_)
            if (piece.where != AscendC::TPosition::GM && !other)
                std::memcpy(piece.seen.data(), piece.view.data, piece.view.bytes);
    }
    static inline std::function<void(uint8_t**)> body_;
    std::string RuleOn(const Kernel& kernel, size_t less, bool other = false) {
        std::vector<twin::GmArg> args;
        for (size_t i = 0; i < pieces_.size(); ++i) {
            Piece& piece = pieces_[i];
            const bool gm = piece.where == AscendC::TPosition::GM;
            piece.seen = piece.before;
            args.push_back({"piece" + std::to_string(i), gm ? twin::Role::kInOut : twin::Role::kInput,
                            piece.seen.data(), piece.seen.size() - (gm && i == less ? piece.unit : 0)});
        }
        body_ = [&](uint8_t** gm) { Body(gm, kernel, less, other); };
        twin::LaunchSpec spec{1, 0, false, {}, OnCube() != other ? twin::Cores::kCube : twin::Cores::kVector, nullptr};
        if (served_) {
            static std::vector<uint8_t> workspace(16 << 20);
            args.push_back({"workspace", twin::Role::kWorkspace, workspace.data(), workspace.size()});
            spec.cores = twin::Cores::kMix11;
            spec.cubeEntry = Serve;
        }
        spec.args = args;
        return RuleOfLaunch([&] { twin::Launch(spec, EnterBody); });
    }
    static void EnterBody(uint8_t** gm) {
        twin::EnterKernel();
        body_(gm);
    }
    static void Serve(uint8_t**);
    static constexpr uint8_t kGuard = 0xa5;
    std::vector<AscendC::LocalTensor<uint8_t>> guards_;
    bool guarded_ = true;
    bool served_ = false;
    Kernel first_;
    std::vector<Piece> pieces_;
};

inline void Pieces::Serve(uint8_t**) { twin::MatmulServe(AscendC::GetSysWorkSpacePtr()); }

/// One check over many cases of chance: each says what is wrong, "" when nothing.
inline void InEachCase(const std::string& name, uint32_t cases, uint64_t seed,
                       const std::function<std::string(Chance&)>& one) {
    Chance chance(seed);
    for (uint32_t i = 0; i < cases; ++i) {
        const std::string wrong = one(chance);
        if (!wrong.empty()) return Expect(name, false, "case " + std::to_string(i) + ": " + wrong);
    }
    Expect(name, true);
}

/// Any bytes, as numbers of a type.
template <typename T>
std::vector<T> AnyBits(Chance& chance, size_t count) {
    std::vector<T> values(count);
    auto* bytes = reinterpret_cast<uint8_t*>(values.data());
    for (size_t i = 0; i < count * sizeof(T); ++i) bytes[i] = static_cast<uint8_t>(chance.Bits());
    return values;
}

#endif
