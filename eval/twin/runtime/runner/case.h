// A case on disk, as the TypeScript side writes it, and the device memory made from it.
#ifndef TWIN_RUNNER_CASE_H
#define TWIN_RUNNER_CASE_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "graph/types.h"

namespace twin_host {

struct TensorLine {
    std::string name;
    ge::DataType dtype;
    std::vector<int64_t> shape;
    /// Input data, or where the output goes; relative to the case directory.
    std::string file;
    /// An output that is handed in full of zeros, whatever the poison.
    bool cleared = false;
    size_t bytes() const;
};

/// An attribute as text: `kind` is bool, number, string or list.
struct AttributeLine {
    std::string kind, value;
};

struct Case {
    std::string directory, opType, soc, library;
    bool reverseOrder = false;
    bool poisonZero = false;
    bool tolerant = false;
    std::vector<TensorLine> inputs, outputs;
    std::map<std::string, AttributeLine> attributes;
};

/// Reads `directory`/case.txt. @throws std::runtime_error with the line that is wrong
Case readCase(const std::string& directory);

/// Inaccessible memory behind each tensor: an address that far behind its end is still told as the tensor's.
constexpr size_t kGuardBytes = 1024 * 1024;
/// Device memory of one tensor: pages of its own between inaccessible ones, its end as near to the upper ones as
/// 32-byte alignment allows. Freed with the process.
uint8_t* allocateGuarded(size_t bytes);
/// Makes every page of the allocation read-only.
void protectReadOnly(uint8_t* data, size_t bytes);

/// Fills with signalling NaNs of the type, or with 0xFE bytes for integers.
void poison(uint8_t* data, size_t bytes, ge::DataType dtype);

void readInto(const std::string& path, uint8_t* data, size_t bytes);
/// Makes or empties a file. Returns its descriptor.
int openToWrite(const std::string& path);
/// Writes and closes. Returns 0, or the errno of what failed.
int writeWhole(int file, const uint8_t* data, size_t bytes);

/// Text between quotes of a JSON string.
std::string jsonString(const std::string& text);

}  // namespace twin_host

#endif
