// The target of a request: written again with every octet escaped, it reads the same.
#include "src/wire/url.hpp"

#include "src/base/check.hpp"
#include "tests/fuzz/input.hpp"

#include <fmt/format.h>
#include <string>

namespace smsrack::fuzz {
namespace {

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        out += c == '/' ? "/" : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
}

std::string target_of(const wire::Target& target) {
    std::string text = escaped(target.path);
    for (std::size_t i = 0; i < target.params.size(); ++i) {
        text += i == 0 ? '?' : '&';
        text += escaped(target.params[i].first) + "=" + escaped(target.params[i].second);
    }
    return text;
}

}  // namespace

int fuzz_url(Octets input) {
    const auto target = wire::parse_target(text_of(input));
    if (!target) {
        SMSRACK_CHECK(target.error().code == Errc::bad_request);
        return 0;
    }
    SMSRACK_CHECK(target->path.starts_with('/'));
    const auto again = wire::parse_target(target_of(*target));
    SMSRACK_CHECK(again && again->path == target->path && again->params == target->params);
    return 0;
}

}  // namespace smsrack::fuzz
