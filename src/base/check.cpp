#include "src/base/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace smsrack {

void check_failed(const char* condition, const char* file, int line) {
    (void)std::fprintf(stderr, "smsrack: %s:%d: check failed: %s\n", file, line, condition);
    std::abort();
}

}  // namespace smsrack
