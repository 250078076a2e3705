#include "tests/days/choice.hpp"

#include "tests/support/seeded_random.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <string>

namespace smsrack::days {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr std::array services{300ms, 500ms, 1'000ms};
constexpr std::array<std::chrono::microseconds, 3> disks{0us, 2ms, 20ms};  // a transaction
constexpr std::array policies{"report", "report", "resend", "hold"};
/// Those of the service; and where lines are parked, less for the most urgent: a surge of some hundred messages is then too much for
/// two lines, and not for eight.
constexpr std::array<milliseconds, level_count> promised{4h, 2h, 1h, 30min, 10min, 2min, 1min};
constexpr std::array<milliseconds, level_count> quick{4h, 2h, 1h, 30min, 10min, 2min, 20s};
// Messages of a day for one of a SIM's hour: half as much again as is needed on average.
constexpr unsigned quota_share = 70;

std::string list_of(const std::array<milliseconds, level_count>& times) {
    std::string list;
    for (const milliseconds time : times) {
        list += fmt::format("{}{}", list.empty() ? "" : ", ", time.count());
    }
    return list;
}

}  // namespace

Choice choose(std::uint64_t seed, const std::filesystem::path& pin_file, const Wanted& wanted) {
    test::SeededRandom random(seed);
    const auto coin = [&random] { return random.below(2) == 0; };
    Choice choice;
    choice.world.modems = modems;
    choice.world.seed = seed;
    choice.world.service = services.at(random.below(services.size()));
    choice.world.disk = disks.at(random.below(disks.size()));
    choice.rules.service =
        std::chrono::duration_cast<std::chrono::milliseconds>(choice.world.service);
    choice.world.exponential = coin();
    choice.world.no_sr = coin();
    choice.world.power_lines = coin();
    const std::string policy = policies.at(random.below(policies.size()));
    choice.rules.resends = policy == "resend";
    const bool has_quota = random.below(3) == 0 && !wanted.scaling;
    choice.rules.segments_per_hour = has_quota ? std::max(10U, wanted.messages / quota_share) : 0;
    choice.rules.ageing.on = random.below(4) != 0;
    choice.rules.protects = coin() || wanted.scaling;
    const int uncertain_s = random.below(2) == 0 ? 60 : 600;
    const int batch_s = coin() ? 0 : 30;
    choice.rules.scales = random.below(3) == 0 || wanted.scaling;
    choice.rules.promised = choice.rules.scales ? quick : promised;
    choice.world.toml = fmt::format(
        "[queue]\nuncertain = \"{}\"\nuncertain_s = {}\nretry_base_s = 1\ncool_s = 5\n"
        "[priority]\nprotect = {}\nageing = {}\nsla_ms = [{}]\n"
        "[defaults]\nsmsc = \"+33609001390\"\nsim_policy = \"adopt\"\n",
        policy, uncertain_s, choice.rules.protects, choice.rules.ageing.on,
        list_of(choice.rules.promised));
    choice.rules.pairs_kept = seed % 2 == 0 ? std::chrono::days(2) : std::chrono::days(15);
    choice.world.modem_toml = fmt::format("pin = {{ file = \"{}\" }}\n", pin_file.string());
    choice.world.toml += fmt::format(
        "[[trigger]]\nname = \"welcome\"\ntemplate = \"{}\"\ncapacity = 10000\nfp_rate = 0.01\n"
        "batch_s = {}\nretain_days = {}\n",
        trigger_text("{topic}"), batch_s, choice.rules.pairs_kept.count());
    if (choice.rules.scales) {
        choice.radio_off = coin();
        choice.world.toml += fmt::format(
            "[scaling]\nenabled = true\nn_min = 2\nsamples = 10\nperiod_ms = 5000\n"
            "radio_off = {}\nlisten_s = 600\nawake_s = 30\n",
            choice.radio_off);
    }
    if (choice.rules.segments_per_hour > 0) {
        choice.world.modem_toml +=
            fmt::format("quota = {{ per_hour = {} }}\n", choice.rules.segments_per_hour);
    }
    return choice;
}

}  // namespace smsrack::days
