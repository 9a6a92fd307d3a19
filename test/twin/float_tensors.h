// Tensors of floats with what they should come to, for formulas of several operands.
#ifndef TWIN_TEST_FLOAT_TENSORS_H
#define TWIN_TEST_FLOAT_TENSORS_H

#include <cmath>

#include "pieces.h"

using namespace AscendC;

using twin::Local;
using twin::Type;
constexpr TPosition kUb = TPosition::VECCALC;
constexpr Type F = Type::kFloat, H = Type::kHalf;

inline std::vector<float> Floats(Chance& c, size_t count, float low = 0.5f, float high = 3) {
    std::vector<float> values(count);
    for (auto& v : values) v = low + (high - low) * static_cast<float>(c.From(0, 1000)) / 1000;
    return values;
}

inline std::string Near(const std::string& name, const std::vector<float>& seen, const std::vector<double>& expected,
                        double tolerance = 2e-4) {
    for (size_t i = 0; i < expected.size(); ++i)
        if (!(std::abs(static_cast<double>(seen[i]) - expected[i]) <= tolerance * (1 + std::abs(expected[i]))))
            return name + " " + std::to_string(i) + " is " + std::to_string(seen[i]) + ", expected " +
                   std::to_string(expected[i]);
    return "";
}

/// Tensors of floats by number, some of which the kernel writes.
struct Tensors {
    Pieces p;
    size_t Add(const std::vector<float>& values) { return p.Put(kUb, values); }
    size_t Result(size_t count) {
        const size_t piece = p.Put(kUb, std::vector<float>(count, 77));
        p.Any(piece);
        return piece;
    }
    std::string Run(const std::function<void(const std::vector<Local>&)>& call, size_t many) {
        return p.Wrong([&](Pieces& u) {
            std::vector<Local> t;
            for (size_t i = 0; i < many; ++i) t.push_back(u.At<uint8_t>(i));
            call(t);
        });
    }
    std::vector<float> Of(size_t piece) { return p.Seen<float>(piece); }
};

#endif
