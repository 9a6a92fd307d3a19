// Sorting of whole rows.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "rows.h"
#include "twin/sort.h"

namespace twin {

namespace {

constexpr uint32_t kRecordBytes = 8;
constexpr int32_t kUnit = 32;
constexpr int32_t kLongestRow = 4096;

float Score(Type type, uint32_t at) { return ReadRow(type, at, 1).front(); }

/// NaN comes before every number.
bool Before(float a, float b) { return a > b || (std::isnan(a) && !std::isnan(b)); }

void CheckShape(const TopKTensors& t, const TopKShape& s, int32_t tilingK) {
    const auto refuse = [&](const std::string& message, const char* fix) {
        Broken("sort-shape", BufferName(*t.src), message, fix);
    };
    if (s.rows <= 0 || s.inner <= 0 || s.inner % kUnit != 0 || (s.small ? s.inner != kUnit : s.inner > kLongestRow)) {
        refuse(Text("TopK of %d rows of %d elements; a row is a multiple of 32 elements, %s", s.rows, s.inner,
                    s.small ? "and exactly 32 in small mode" : "at most 4096"),
               "pad the rows to a multiple of 32");
    }
    if (s.small && t.finish != nullptr)
        refuse("TopK in small mode with finishLocal", "leave isHasfinish false, or take the normal mode");
    if (s.k < 1 || s.k > s.n || s.n > s.inner)
        refuse(Text("k is %d, n is %d and inner is %d in TopK; 1 <= k <= n <= inner", s.k, s.n, s.inner),
               "give n the real length of a row");
    if (tilingK != s.k)
        refuse(Text("TopK takes %d elements, and its tiling is for %d", s.k, tilingK),
               "call TopKTilingFunc with the same k");
}

std::vector<int32_t> Indices(const TopKTensors& t, const TopKShape& s, uint64_t row) {
    std::vector<int32_t> indices(static_cast<size_t>(s.inner));
    std::iota(indices.begin(), indices.end(), 0);
    if (t.srcIndex == nullptr) return indices;
    const uint64_t bytes = static_cast<uint64_t>(s.inner) * 4;
    const uint32_t at = Touch(*t.srcIndex, "srcIndexLocal", s.small ? row * bytes : 0, bytes, PIPE_V, Access::kRead);
    if (!AllDefined(at, bytes)) NoteUnwritten(*t.index, *t.srcIndex, "srcIndexLocal", at);
    std::memcpy(indices.data(), core().memory.ub + at, bytes);
    return indices;
}

bool Finished(const TopKTensors& t, uint64_t row) {
    if (t.finish == nullptr) return false;
    const uint32_t at = Touch(*t.finish, "finishLocal", row, 1, PIPE_V, Access::kRead);
    RequireDefined(*t.finish, "finishLocal", at, 1);
    return core().memory.ub[at] != 0;
}

void TopKRow(Type type, const TopKTensors& t, const TopKShape& s, uint64_t row) {
    const uint32_t bytes = TypeBytes(type), inner = static_cast<uint32_t>(s.inner), k = static_cast<uint32_t>(s.k);
    const uint32_t from =
        Touch(*t.src, "srcLocal", row * inner * bytes, static_cast<uint64_t>(inner) * bytes, PIPE_V, Access::kRead);
    RequireDefined(*t.src, "srcLocal", from, static_cast<uint64_t>(inner) * bytes);
    const std::vector<float> values = ReadRow(type, from, inner);
    std::vector<uint32_t> order(inner);
    std::iota(order.begin(), order.end(), 0);
    const float sign = s.largest ? 1.0f : -1.0f;
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return Before(sign * values[a], sign * values[b]); });
    const std::vector<int32_t> indices = Indices(t, s, row);
    const bool finished = Finished(t, row);
    std::vector<float> best(k);
    std::vector<int32_t> where(k);
    for (uint32_t i = 0; i < k; ++i) {
        best[i] = values[order[i]];
        where[i] = finished ? s.n : indices[order[i]];
    }
    const auto padded = [&](uint32_t size) {
        return s.small ? k : (k * size + kBlockBytes - 1) / kBlockBytes * kBlockBytes / size;
    };
    PutValues(type, *t.value, "dstValueLocal", row * padded(bytes), best.data(), k, true);
    const uint32_t to =
        Touch(*t.index, "dstIndexLocal", row * padded(4) * 4, static_cast<uint64_t>(k) * 4, PIPE_V, Access::kWrite);
    std::memcpy(core().memory.ub + to, where.data(), static_cast<size_t>(k) * 4);
    Define(to, static_cast<uint64_t>(k) * 4);
}

}  // namespace

void MergeRecords(Type type, const Local& records, const Local& work, uint32_t count) {
    Begin("Sort", PIPE_V);
    const uint64_t bytes = static_cast<uint64_t>(count) * kRecordBytes;
    if (count <= static_cast<uint32_t>(kUnit)) return;
    Define(Touch(work, "tmp", 0, bytes, PIPE_V, Access::kWrite), bytes, false);
    Core& c = core();
    const uint32_t at = Touch(records, "dst", 0, bytes, PIPE_V, Access::kWrite);
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        return Before(Score(type, at + a * kRecordBytes), Score(type, at + b * kRecordBytes));
    });
    std::vector<uint8_t> values(bytes), defined(bytes);
    for (uint32_t i = 0; i < count; ++i) {
        std::memcpy(values.data() + i * kRecordBytes, c.memory.ub + at + order[i] * kRecordBytes, kRecordBytes);
        std::memcpy(defined.data() + i * kRecordBytes, c.memory.defined.data() + at + order[i] * kRecordBytes,
                    kRecordBytes);
    }
    std::memcpy(c.memory.ub + at, values.data(), bytes);
    std::memcpy(c.memory.defined.data() + at, defined.data(), bytes);
}

void SplitRecords(Type type, const Local& values, const Local& indices, const Local& records, uint32_t count) {
    Begin("Extract", PIPE_V);
    CheckRepeat(static_cast<int>(count / kUnit));
    for (const Local* one : {&values, &indices, &records}) CheckAligned(*one, "an operand");
    if (count == 0) return;
    const uint32_t bytes = TypeBytes(type);
    const uint32_t from =
        Touch(records, "sorted", 0, static_cast<uint64_t>(count) * kRecordBytes, PIPE_V, Access::kRead);
    const uint32_t value = Touch(values, "dstValue", 0, static_cast<uint64_t>(count) * bytes, PIPE_V, Access::kWrite);
    const uint32_t index = Touch(indices, "dstIndex", 0, static_cast<uint64_t>(count) * 4, PIPE_V, Access::kWrite);
    Core& c = core();
    if (!AllDefined(from, static_cast<uint64_t>(count) * kRecordBytes)) NoteUnwritten(values, records, "sorted", from);
    for (uint8_t* memory : {c.memory.ub, c.memory.defined.data()}) {
        const std::vector<uint8_t> copy(memory + from, memory + from + count * kRecordBytes);
        for (uint32_t i = 0; i < count; ++i) {
            std::memcpy(memory + value + i * bytes, copy.data() + i * kRecordBytes, bytes);
            std::memcpy(memory + index + i * 4, copy.data() + i * kRecordBytes + 4, 4);
        }
    }
}

void UseTopKTemporary(const Local& work, uint64_t floats) {
    core().account.api = "TopK";
    if (work.position != TPosition::VECCALC)
        Broken("wrong-position", BufferName(work),
               Text("tmpLocal of TopK is in %s; it takes VECCALC", PositionName(work.position)),
               "use a TBuf<TPosition::VECCALC>");
    UseTemporary("TopK", &work, floats);
}

void TopKRows(Type type, const TopKTensors& t, const TopKShape& s, int32_t tilingK) {
    Begin("TopK", PIPE_V);
    for (const Local* one : {t.value, t.index, t.src, t.srcIndex, t.finish})
        if (one != nullptr) CheckAligned(*one, "an operand");
    CheckShape(t, s, tilingK);
    for (int32_t r = 0; r < s.rows; ++r) TopKRow(type, t, s, static_cast<uint64_t>(r));
}

}  // namespace twin
