/// Reads a whole file; empty if it can't be read.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace smsrack::test {

[[nodiscard]] inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace smsrack::test
