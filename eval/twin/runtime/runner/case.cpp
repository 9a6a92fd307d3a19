#include "case.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace twin_host {
namespace {

const std::map<std::string, ge::DataType>& dtypes() {
    static const std::map<std::string, ge::DataType> all = {
        {"float16", ge::DT_FLOAT16}, {"bfloat16", ge::DT_BF16}, {"float32", ge::DT_FLOAT}, {"float64", ge::DT_DOUBLE}, {"int8", ge::DT_INT8},
        {"uint8", ge::DT_UINT8}, {"int16", ge::DT_INT16}, {"uint16", ge::DT_UINT16}, {"int32", ge::DT_INT32}, {"uint32", ge::DT_UINT32},
        {"int64", ge::DT_INT64}, {"uint64", ge::DT_UINT64}, {"bool", ge::DT_BOOL}, {"complex64", ge::DT_COMPLEX64},
    };
    return all;
}

/// `a%20b` to `a b`: the writer escapes whatever would end a field or a line.
std::string unescape(const std::string& text) {
    std::string plain;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size()) {
            plain += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
            i += 2;
        } else {
            plain += text[i];
        }
    }
    return plain;
}

std::vector<int64_t> parseShape(const std::string& text) {
    std::vector<int64_t> shape;
    if (text == "-") return shape;
    std::stringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) shape.push_back(std::stoll(part));
    return shape;
}

TensorLine parseTensor(std::istringstream& fields) {
    std::string name, dtype, shape, file, initial;
    fields >> name >> dtype >> shape >> file >> initial;
    return {unescape(name), dtypes().at(dtype), parseShape(shape), file, initial == "cleared"};
}

size_t roundUp(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }
size_t pageBytes() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

}  // namespace

size_t TensorLine::bytes() const {
    size_t count = 1;
    for (const int64_t size : shape) count *= static_cast<size_t>(size);
    return count * static_cast<size_t>(ge::GetSizeByDataType(dtype));
}

Case readCase(const std::string& directory) {
    std::ifstream file(directory + "/case.txt");
    if (!file) throw std::runtime_error("cannot read " + directory + "/case.txt");
    Case result;
    result.directory = directory;
    for (std::string line; std::getline(file, line);) {
        std::istringstream fields(line);
        std::string key, value, kind;
        fields >> key;
        if (key == "operator") fields >> result.opType;
        else if (key == "soc") fields >> result.soc;
        else if (key == "library") { fields >> value; result.library = unescape(value); }
        else if (key == "order") { fields >> value; result.reverseOrder = value == "reverse"; }
        else if (key == "poison") { fields >> value; result.poisonZero = value == "zero"; }
        else if (key == "rules") { fields >> value; result.tolerant = value == "tolerant"; }
        else if (key == "input") result.inputs.push_back(parseTensor(fields));
        else if (key == "output") result.outputs.push_back(parseTensor(fields));
        else if (key == "attribute") {
            std::string name;
            fields >> name >> kind >> value;
            result.attributes[unescape(name)] = {kind, unescape(value)};
        } else if (!key.empty()) throw std::runtime_error("case.txt: unknown line: " + line);
    }
    return result;
}

uint8_t* allocateGuarded(size_t bytes) {
    const size_t page = pageBytes();
    const size_t used = roundUp(bytes == 0 ? 1 : bytes, 32);
    const size_t body = roundUp(used, page);
    void* base = mmap(nullptr, page + body + kGuardBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED || mprotect(static_cast<uint8_t*>(base) + page, body, PROT_READ | PROT_WRITE) != 0) {
        throw std::runtime_error("out of memory: " + std::to_string(bytes) + " bytes of device memory");
    }
    return static_cast<uint8_t*>(base) + page + body - used;
}

void protectReadOnly(uint8_t* data, size_t bytes) {
    const uintptr_t start = reinterpret_cast<uintptr_t>(data) / pageBytes() * pageBytes();
    const uintptr_t end = roundUp(reinterpret_cast<uintptr_t>(data) + (bytes == 0 ? 1 : bytes), pageBytes());
    mprotect(reinterpret_cast<void*>(start), end - start, PROT_READ);
}

void poison(uint8_t* data, size_t bytes, ge::DataType dtype) {
    // Exponent all ones, quiet bit clear, rest of the mantissa set apart: a NaN that no arithmetic produces.
    const auto fill = [&](const auto pattern) {
        for (size_t i = 0; i + sizeof(pattern) <= bytes; i += sizeof(pattern)) std::memcpy(data + i, &pattern, sizeof(pattern));
    };
    switch (dtype) {
        case ge::DT_FLOAT16: return fill(uint16_t{0x7D55});
        case ge::DT_BF16: return fill(uint16_t{0x7FA5});
        case ge::DT_FLOAT: case ge::DT_COMPLEX64: return fill(uint32_t{0x7FA5A5A5});
        case ge::DT_DOUBLE: return fill(uint64_t{0x7FF5A5A5A5A5A5A5});
        default: std::memset(data, 0xFE, bytes);
    }
}

void readInto(const std::string& path, uint8_t* data, size_t bytes) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) throw std::runtime_error("cannot open " + path);
    size_t done = 0;
    while (done < bytes) {
        const ssize_t got = read(file, data + done, bytes - done);
        if (got <= 0) break;
        done += static_cast<size_t>(got);
    }
    close(file);
    if (done != bytes) throw std::runtime_error(path + " holds " + std::to_string(done) + " bytes, expected " + std::to_string(bytes));
}

int openToWrite(const std::string& path) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) throw std::runtime_error("cannot create " + path);
    return file;
}

int writeWhole(int file, const uint8_t* data, size_t bytes) {
    size_t done = 0;
    while (done < bytes) {
        const ssize_t put = write(file, data + done, bytes - done);
        if (put <= 0) {
            const int error = put < 0 ? errno : EIO;
            close(file);
            return error;
        }
        done += static_cast<size_t>(put);
    }
    return close(file) == 0 ? 0 : errno;
}

std::string jsonString(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') { quoted += '\\'; quoted += c; }
        else if (byte < 0x20 || byte == 0x7F) {
            char escape[8];
            std::snprintf(escape, sizeof(escape), "\\u%04x", byte);
            quoted += escape;
        } else quoted += c;
    }
    return quoted + "\"";
}

}  // namespace twin_host
