#include "case.h"

#include <fcntl.h>
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
        {"float16", ge::DT_FLOAT16}, {"bfloat16", ge::DT_BF16},       {"float32", ge::DT_FLOAT},
        {"float64", ge::DT_DOUBLE},  {"int8", ge::DT_INT8},           {"uint8", ge::DT_UINT8},
        {"int16", ge::DT_INT16},     {"uint16", ge::DT_UINT16},       {"int32", ge::DT_INT32},
        {"uint32", ge::DT_UINT32},   {"int64", ge::DT_INT64},         {"uint64", ge::DT_UINT64},
        {"bool", ge::DT_BOOL},       {"complex64", ge::DT_COMPLEX64},
    };
    return all;
}

std::vector<int64_t> parseShape(const std::string& text) {
    std::vector<int64_t> shape;
    if (text == "-") return shape;
    std::stringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) shape.push_back(std::stoll(part));
    return shape;
}

TensorLine parseTensor(std::istringstream& fields) {
    std::string name, dtype, shape, file, mark;
    fields >> name >> dtype >> shape >> file >> mark;
    return {unescape(name), dtypes().at(dtype), parseShape(shape), file, mark == "cleared", mark == "host"};
}

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
        else if (key == "host") {
            fields >> value;
            result.hostLibrary = unescape(value);
        } else if (key == "kernel") {
            fields >> value;
            result.kernelLibrary = unescape(value);
        } else if (key == "seconds") fields >> result.cpuSeconds >> result.wallSeconds;
        else if (key == "order") {
            fields >> value;
            result.reverseOrder = value == "reverse";
        } else if (key == "poison") {
            fields >> value;
            result.poisonZero = value == "zero";
        } else if (key == "rules") {
            fields >> value;
            result.tolerant = value == "tolerant";
        } else if (key == "launches") {
            fields >> value;
            result.twice = value == "2";
        } else if (key == "steps") {
            fields >> value;
            result.traced = value == "told";
        } else if (key == "input") result.inputs.push_back(parseTensor(fields));
        else if (key == "output") result.outputs.push_back(parseTensor(fields));
        else if (key == "attribute") {
            std::string name;
            fields >> name >> kind >> value;
            result.attributes[unescape(name)] = {kind, unescape(value)};
        } else if (!key.empty()) throw std::runtime_error("case.txt: unknown line: " + line);
    }
    return result;
}

void readWhole(int file, uint8_t* data, size_t bytes) {
    size_t done = 0;
    while (done < bytes) {
        const ssize_t got = pread(file, data + done, bytes - done, static_cast<off_t>(done));
        if (got <= 0) break;
        done += static_cast<size_t>(got);
    }
    if (done != bytes)
        throw std::runtime_error("an input holds " + std::to_string(done) + " bytes, expected " +
                                 std::to_string(bytes));
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

std::string escape(const std::string& text) {
    std::string field;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        char code[4];
        if (byte > 0x20 && byte < 0x7F && byte != '%') field += c;
        else field.append(code, static_cast<size_t>(std::snprintf(code, sizeof code, "%%%02x", byte)));
    }
    return field;
}

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

}  // namespace twin_host
