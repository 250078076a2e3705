#include "tests/days/seed_process.hpp"

#include "src/wire/json.hpp"

#include <exception>
#include <string>
#include <vector>

namespace smsrack::days {
namespace {

std::string encode(const DaysResult& result) {
    const wire::Json json{{"violation", result.violation},
                          {"story", result.story},
                          {"fingerprint", result.fingerprint},
                          {"numbers", result.totals.numbers()}};
    return json.dump(-1, ' ', true, wire::Json::error_handler_t::replace);
}

DaysResult decode(const std::string& text) {
    const auto json = wire::Json::parse(text);
    return {.totals = DaysTotals::of(json.at("numbers").get<std::vector<std::uint64_t>>()),
            .violation = json.at("violation").get<std::string>(),
            .story = json.at("story").get<std::vector<std::string>>(),
            .fingerprint = json.at("fingerprint").get<std::uint64_t>()};
}

DaysResult live_whatever_comes(const DaysOptions& options) {
    try {
        return live(options);
    } catch (const std::exception& error) {
        return {.totals = {}, .violation = error.what()};
    }
}

}  // namespace

SeedLimits longest(const DaysOptions& options, unsigned jobs, unsigned processors) {
    constexpr std::uint64_t of_a_day = 300;
    constexpr std::uint64_t messages_a_second = 20;
    return limits_of(
        std::chrono::seconds(options.days *
                             (of_a_day + (options.messages + options.inbound) / messages_a_second)),
        jobs, processors);
}

SeedProcess::SeedProcess(const DaysOptions& options, SeedLimits limits)
    : options_(options),
      fork_(
          [options](const std::filesystem::path& home) {
              DaysOptions here = options;
              here.folder = home;
              return encode(live_whatever_comes(here));
          },
          options.folder, limits) {
    options_.folder = fork_.home();
}

DaysResult SeedProcess::result() {
    const auto said = fork_.result();
    return said.fault.empty() ? decode(said.text)
                              : DaysResult{.totals = {}, .violation = said.fault};
}

}  // namespace smsrack::days
