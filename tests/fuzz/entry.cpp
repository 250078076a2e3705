// What libFuzzer calls: SMSRACK_FUZZ_RUN is the one target of the program.
//
// Targets use doubles of the unit tests, which have assertions: one that fails is a crash.
#define DOCTEST_CONFIG_IMPLEMENT
#include "tests/fuzz/targets.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

void crash(const doctest::AssertData& assertion) {
    std::fprintf(stderr, "%s:%d: %s failed: %s\n", assertion.m_file, assertion.m_line,
                 assertion.m_expr, assertion.m_decomp.c_str());
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
    static doctest::Context context;
    context.setAsDefaultForAssertsOutOfTestCases();
    context.setAssertHandler(crash);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return smsrack::fuzz::SMSRACK_FUZZ_RUN(std::as_bytes(std::span(data, size)));
}
