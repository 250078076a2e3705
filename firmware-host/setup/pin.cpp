#include "firmware-host/setup/pin.hpp"

#include "firmware-host/setup/text_file.hpp"

#include <algorithm>
#include <cstdlib>

namespace smsrack::host {
namespace {

constexpr std::size_t file_octets_max = 4'096;  // its first line counts

Result<std::string> checked(std::string pin, const std::string& where) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (pin.size() < 4 || pin.size() > 8 || !std::ranges::all_of(pin, is_digit)) {
        return fail(Errc::bad_config, where + " does not contain a PIN of 4 to 8 digits");
    }
    return pin;
}

}  // namespace

Result<std::string> read_pin(const config::SecretSource& source) {
    if (!source.env.empty()) {
        const char* value = std::getenv(source.env.c_str());
        if (value == nullptr) {
            return fail(Errc::bad_config, "the environment has no variable " + source.env);
        }
        return checked(value, "variable " + source.env);
    }
    const auto text = read_text_file(source.file, file_octets_max);
    if (!text) {
        return std::unexpected(text.error());
    }
    std::string line = text->substr(0, text->find('\n'));
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) {
        line.pop_back();
    }
    return checked(std::move(line), source.file);
}

}  // namespace smsrack::host
