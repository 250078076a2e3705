// What libFuzzer calls: SMSRACK_FUZZ_RUN is the one target of the program.
#include "tests/fuzz/targets.hpp"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return smsrack::fuzz::SMSRACK_FUZZ_RUN(std::as_bytes(std::span(data, size)));
}
