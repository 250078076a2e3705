#include "firmware-host/pin.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace smsrack::host {
namespace {

Result<std::string> checked(std::string pin, const std::string& where) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (pin.size() < 4 || pin.size() > 8 || !std::ranges::all_of(pin, is_digit)) {
        return fail(Errc::bad_config, where + ": not a PIN of 4 to 8 digits");
    }
    return pin;
}

}  // namespace

Result<std::string> read_pin(const config::SecretSource& source) {
    if (!source.env.empty()) {
        const char* value = std::getenv(source.env.c_str());
        if (value == nullptr) {
            return fail(Errc::bad_config, "pin: no variable " + source.env + " in the environment");
        }
        return checked(value, "pin: variable " + source.env);
    }
    std::ifstream file(source.file);
    std::string line;
    if (!file || !std::getline(file, line)) {
        return fail(Errc::bad_config, "pin: " + source.file + " can't be read");
    }
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) {
        line.pop_back();
    }
    return checked(std::move(line), "pin: " + source.file);
}

}  // namespace smsrack::host
