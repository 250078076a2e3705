/// [[route]], [queue] and [priority]: the group of a message, and how it waits.
#pragma once

#include "src/config/field.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace smsrack::config {

struct RouteSettings {
    std::string prefix = {};
    std::string group = {};
    std::vector<std::string> groups = {};
    bool sticky = false;
    int source_line = 0;

    static constexpr auto fields = std::tuple{
        field("prefix", &RouteSettings::prefix, form(Form::prefix).needed(),
              "of the normalised number"),
        field("group", &RouteSettings::group, form(Form::name), "a group that has a modem"),
        field("groups", &RouteSettings::groups, form(Form::name),
              "instead: several, of which each message takes the one that sends it soonest"),
        field("sticky", &RouteSettings::sticky, form(Form::any),
              "a recipient's messages come from the same SIM while it can send"),
    };
};

/// What becomes of a submit whose answer never came.
enum class UncertainPolicy : std::uint8_t { report, resend, hold };

template <>
struct Words<UncertainPolicy> {
    static constexpr std::array<std::string_view, 3> names{"report", "resend", "hold"};
};

struct QueueSettings {
    std::int64_t capacity = 1'000'000;
    std::int64_t retry_limit = 3;
    seconds retry_base{5};
    seconds ttl{86'400};
    UncertainPolicy uncertain = UncertainPolicy::report;
    seconds uncertain_after{900};
    std::int64_t segments_max = 10;
    bool short_validity = false;
    std::int64_t cool_after = 3;
    seconds cool{60};
    seconds cool_max{3'600};
    milliseconds share_within{100};

    static constexpr auto fields = std::tuple{
        field("capacity", &QueueSettings::capacity, range(1, 1'000'000'000),
              "durable waiting messages; beyond: 503"),
        field("retry_limit", &QueueSettings::retry_limit, range(0, 100),
              "attempts on transient errors"),
        field("retry_base_s", &QueueSettings::retry_base, range(1, 3'600),
              "exponential, with jitter"),
        field("ttl_s", &QueueSettings::ttl, range(1, 38'102'400),
              "a message not sent by then expires (63 weeks at most)"),
        field("uncertain", &QueueSettings::uncertain, form(Form::any),
              "answer never came: report (never resent) | resend (at least once) | hold (an "
              "operator decides)"),
        field("uncertain_s", &QueueSettings::uncertain_after, range(1, 2'592'000),
              "how long an answer may still come"),
        field("segments_max", &QueueSettings::segments_max, range(1, 255), "per message"),
        field(
            "short_validity", &QueueSettings::short_validity, form(Form::any),
            "a ttl_s below 5 minutes goes to the service centre in seconds; many do not know that "
            "form"),
        field("cool_after", &QueueSettings::cool_after, range(0, 1'000),
              "refusals in a row by carrier or network, then the SIM rests; 0: never"),
        field("cool_s", &QueueSettings::cool, range(1, 86'400),
              "first rest; each further one is twice as long"),
        field("cool_max_s", &QueueSettings::cool_max, range(1, 604'800), "longest rest"),
        field("share_within_ms", &QueueSettings::share_within, range(0, 1'000),
              "the end of an attempt waits this long for a commit that it shares; 0: it does not"),
    };
};

/// Lines of each group that only take the top levels.
struct ReserveSettings {
    std::int64_t level = 5;
    std::int64_t lines = 1;

    static constexpr auto fields = std::tuple{
        field("level", &ReserveSettings::level, range(1, priority_levels - 1).needed(),
              "of acceptance, at least"),
        field("lines", &ReserveSettings::lines, range(1, 1'024).needed(),
              "of each group; one is always left to all"),
    };
};

struct PrioritySettings {
    LevelTimes sla{milliseconds(14'400'000), milliseconds(7'200'000), milliseconds(3'600'000),
                   milliseconds(1'800'000),  milliseconds(600'000),   milliseconds(120'000),
                   milliseconds(60'000)};
    LevelTimes max_wait{milliseconds(60'000), milliseconds(60'000), milliseconds(30'000),
                        milliseconds(30'000), milliseconds(15'000), milliseconds(5'000),
                        milliseconds(0)};
    bool ageing = true;
    std::optional<ReserveSettings> reserve = {};
    std::int64_t default_level = 3;
    bool protect = true;
    seconds self_sms{0};
    int source_line = 0;  ///< of [priority] in the file

    static constexpr auto fields = std::tuple{
        field("sla_ms", &PrioritySettings::sla, range(1, 2'592'000'000),
              "by level, 0 first: acceptance to network"),
        field("max_wait_ms", &PrioritySettings::max_wait, range(0, 2'592'000'000),
              "by level: a message that has waited longer is promoted to the next; that of 6 is "
              "not used"),
        field("ageing", &PrioritySettings::ageing, form(Form::any),
              "false: no promotion, a lower level waits until the higher ones are empty"),
        field("reserve", &PrioritySettings::reserve, form(Form::any),
              "modems of each group that only take messages of this level and above"),
        field("default", &PrioritySettings::default_level, range(0, priority_levels - 1),
              "level of a message that names none"),
        field("protect", &PrioritySettings::protect, form(Form::any),
              "refuse what would take longer than sla_ms, with the time to come back"),
        field("self_sms_s", &PrioritySettings::self_sms, range(0, 2'592'000),
              "a silent level gets a message to a SIM of the rack, one in a group within this; 0: "
              "off"),
    };
};

}  // namespace smsrack::config
