/// SMSRACK_CHECK(condition): for conditions that only our own bug can break. It stays on in
/// release: it prints the place and aborts; the next start recovers from the store.
#pragma once

namespace smsrack {

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace smsrack

#define SMSRACK_CHECK(condition)           \
    (static_cast<bool>(condition) ? void() \
                                  : ::smsrack::check_failed(#condition, __FILE__, __LINE__))
