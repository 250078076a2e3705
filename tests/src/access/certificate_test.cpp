#include "src/access/certificate.hpp"

#include "src/base/time_text.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace smsrack;
using namespace smsrack::access;

namespace {

const WallTime now = *time_of("2026-11-26T12:00:00Z");

}  // namespace

TEST_CASE("self_signed: a key and a certificate, other ones each time") {
    const auto one = self_signed({"box.lan", "192.0.2.1", "2001:db8::1"}, now);
    REQUIRE(one);
    CHECK(one->key.starts_with("-----BEGIN PRIVATE KEY-----\n"));
    CHECK(one->certificate.starts_with("-----BEGIN CERTIFICATE-----\n"));
    CHECK(one->sha256.size() == 32 * 3 - 1);
    CHECK(self_signed({"box.lan"}, now)->sha256 != self_signed({"box.lan"}, now)->sha256);
}

TEST_CASE("self_signed: what is no name is refused, least of all taken for an option") {
    for (const std::vector<std::string>& bad : std::vector<std::vector<std::string>>{
             {}, {""}, {"box lan"}, {"box,DNS:evil"}, {"box\n"}, {std::string(65, 'a')}}) {
        const auto refused = self_signed(bad, now);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == Errc::bad_request);
    }
}
