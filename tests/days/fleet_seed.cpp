#include "tests/days/fleet_seed.hpp"

#include "src/wire/json.hpp"

#include <exception>
#include <string>
#include <vector>

namespace smsrack::days {
namespace {

std::string encode(const test::FleetResult& result) {
    const wire::Json json{{"violation", result.violation},
                          {"story", result.story},
                          {"fingerprint", result.fingerprint},
                          {"counts", result.totals.counts}};
    return json.dump(-1, ' ', true, wire::Json::error_handler_t::replace);
}

test::FleetResult decode(const std::string& text) {
    const auto json = wire::Json::parse(text);
    return {.totals = {.counts = json.at("counts").get<decltype(test::FleetTotals::counts)>()},
            .violation = json.at("violation").get<std::string>(),
            .story = json.at("story").get<std::vector<std::string>>(),
            .fingerprint = json.at("fingerprint").get<std::uint64_t>()};
}

test::FleetResult live_whatever_comes(const test::FleetOptions& options) {
    try {
        return test::live_fleet(options);
    } catch (const std::exception& error) {
        return {.violation = error.what()};
    }
}

}  // namespace

SeedLimits longest(const test::FleetOptions& options, unsigned jobs, unsigned processors) {
    constexpr std::chrono::seconds of_an_hour{200};
    return limits_of(of_an_hour * options.hours, jobs, processors);
}

FleetSeed::FleetSeed(const test::FleetOptions& options, const std::filesystem::path& folder,
                     SeedLimits limits)
    : options_(options),
      fork_(
          [options](const std::filesystem::path& home) {
              test::FleetOptions here = options;
              here.folder = home;
              return encode(live_whatever_comes(here));
          },
          folder, limits) {}

test::FleetResult FleetSeed::result() {
    const auto said = fork_.result();
    return said.fault.empty() ? decode(said.text) : test::FleetResult{.violation = said.fault};
}

}  // namespace smsrack::days
