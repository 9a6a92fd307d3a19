// A case on disk, as the TypeScript side writes it.
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
    /// An input whose values tiling may read.
    bool hostValue = false;
    size_t bytes() const;
};

/// An attribute as text: `kind` is bool, number, string or list.
struct AttributeLine {
    std::string kind, value;
};

struct Case {
    std::string directory, opType, soc, hostLibrary, kernelLibrary;
    bool reverseOrder = false;
    bool poisonZero = false;
    bool tolerant = false;
    /// The kernel is launched twice, and the second launch is the one that counts.
    bool twice = false;
    /// Each instruction is told.
    bool traced = false;
    /// Of the tiling process and of the kernel process, each.
    double cpuSeconds = 0, wallSeconds = 0;
    std::vector<TensorLine> inputs, outputs;
    std::map<std::string, AttributeLine> attributes;
};

/// Reads `directory`/case.txt. @throws std::runtime_error with the line that is wrong
Case readCase(const std::string& directory);

/// Fills `data` from the start of an open file. @throws std::runtime_error when it holds fewer bytes
void readWhole(int file, uint8_t* data, size_t bytes);
/// Writes and closes. Returns 0, or the errno of what failed.
int writeWhole(int file, const uint8_t* data, size_t bytes);

/// Text as one field of a line, and back: percent signs, blanks and ends of lines are escaped.
std::string escape(const std::string& text);
std::string unescape(const std::string& text);

}  // namespace twin_host

#endif
