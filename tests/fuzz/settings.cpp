// The configuration file: every fault has its line; what is good is shown as a file that reads the same.
#include "src/config/settings.hpp"

#include "src/base/check.hpp"
#include "src/config/settings_show.hpp"
#include "tests/fuzz/input.hpp"

#include <algorithm>
#include <string>

namespace smsrack::fuzz {

int fuzz_settings(Octets input) {
    const std::string_view text = text_of(input);
    const auto settings = config::load_settings(text, "f.toml");
    if (!settings) {
        const auto lines = 1 + std::ranges::count(text, '\n');
        SMSRACK_CHECK(!settings.error().problems.empty());
        for (const config::ConfigProblem& problem : settings.error().problems) {
            SMSRACK_CHECK(problem.line >= 0 && problem.line <= lines);
            SMSRACK_CHECK(!problem.message.empty());
        }
        SMSRACK_CHECK(
            std::ranges::is_sorted(settings.error().problems, {}, &config::ConfigProblem::line));
        return 0;
    }
    SMSRACK_CHECK(settings->modems.size() <= config::modems_max);
    const std::string shown = config::settings_as_toml(*settings);
    SMSRACK_CHECK(is_utf8(shown));
    const auto again = config::load_settings(shown, "shown.toml");
    SMSRACK_CHECK(again.has_value());
    SMSRACK_CHECK(config::settings_as_toml(*again) == shown);
    return 0;
}

}  // namespace smsrack::fuzz
