/// [defaults] and [[modem]]: ports, lines, SIMs and power of the modems.
#pragma once

#include "src/config/field.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace smsrack::config {

/// More modems than any rack; bounds threads and files.
inline constexpr std::size_t modems_max = 1'024;

/// AT+CMMS: the radio link stays up between the messages of a queue.
enum class KeepLink : std::uint8_t { automatic, off };

template <>
struct Words<KeepLink> {
    static constexpr std::array<std::string_view, 2> names{"auto", "off"};
};

/// What becomes of a slot that has another SIM than the last time.
enum class SimPolicy : std::uint8_t { adopt, warn, refuse };

template <>
struct Words<SimPolicy> {
    static constexpr std::array<std::string_view, 3> names{"adopt", "warn", "refuse"};
};

/// [defaults]; each can be overridden per [[modem]].
struct LineSettings {
    std::int64_t baud = 115'200;
    std::int64_t fast_baud = 0;  ///< 0: none
    std::string group = "default";
    seconds heartbeat{30};
    seconds submit_slow{45};
    seconds submit_timeout{120};
    seconds disconnect{30};
    bool report = true;
    milliseconds command_gap{0};
    bool roaming = false;
    KeepLink keep_link = KeepLink::automatic;
    bool push = true;
    milliseconds pace{0};
    double pace_jitter = 0;
    std::string smsc = {};  ///< empty: as the SIM says
    SimPolicy sim_policy = SimPolicy::warn;
    std::string country = {};  ///< empty: only E.164 and short codes
    std::string trunk = "0";
    std::string quota_zone = "UTC";
    std::int64_t quota_warn_percent = 80;

    static constexpr auto fields = std::tuple{
        field("baud", &LineSettings::baud, form(Form::baud), "rate of the serial port"),
        field(
            "fast_baud", &LineSettings::fast_baud, form(Form::baud_or_none),
            "a modem that has this rate too is switched to it (AT+IPR) while the service runs; 0: "
            "never"),
        field("group", &LineSettings::group, form(Form::name), "modems of one group share a queue"),
        field("heartbeat_s", &LineSettings::heartbeat, range(1, 3'600),
              "AT ping when the modem is idle"),
        field("submit_slow_s", &LineSettings::submit_slow, range(1, 3'600),
              "+CMGS slower than this: a warning"),
        field("submit_timeout_s", &LineSettings::submit_timeout, range(5, 3'600),
              "then the outcome is uncertain"),
        field("disconnect_s", &LineSettings::disconnect, range(1, 86'400), "link pending -> stop"),
        field("report", &LineSettings::report, form(Form::any),
              "ask for status reports unless a message says otherwise"),
        field("command_gap_ms", &LineSettings::command_gap, range(0, 10'000),
              "pause after a final result"),
        field("roaming", &LineSettings::roaming, form(Form::any),
              "send also when registered with a foreign network, which may cost more"),
        field("keep_link", &LineSettings::keep_link, form(Form::any),
              "auto: the radio link is kept while messages wait, until it makes faults | off"),
        field("push", &LineSettings::push, form(Form::any),
              "an idle modem passes on at once what it receives (+CMT); false: the SIM stores it "
              "first"),
        field("pace_ms", &LineSettings::pace, range(0, 600'000),
              "pause after each segment; 0: none"),
        field("pace_jitter", &LineSettings::pace_jitter, range(0, 1),
              "the pause is longer or shorter by up to this part of it"),
        field("smsc", &LineSettings::smsc, form(Form::number),
              "service centre, for a SIM that has lost its number; absent: as the SIM says"),
        field("sim_policy", &LineSettings::sim_policy, form(Form::any),
              "another SIM than last time: adopt | warn (and say so) | refuse (it may not send)"),
        field("country", &LineSettings::country, form(Form::country),
              "put before national numbers; absent: only E.164 is accepted; one in a group"),
        field("trunk", &LineSettings::trunk, form(Form::trunk),
              "digits dropped from national numbers; one in a group"),
        field("quota_zone", &LineSettings::quota_zone, form(Form::zone),
              "days and months of quotas turn here"),
        field("quota_warn_percent", &LineSettings::quota_warn_percent, range(1, 100),
              "of a quota used: reported in log and events"),
    };
};

/// Where a secret is kept; the secret itself is never in a Settings.
struct SecretSource {
    std::string file = {};
    std::string env = {};

    static constexpr auto fields = std::tuple{
        field("file", &SecretSource::file, form(Form::absolute_path), "first line of this file"),
        field("env", &SecretSource::env, form(Form::name),
              "this variable of the service's environment"),
    };
};

/// Segments a SIM may send; absent: no such limit.
struct QuotaSettings {
    std::optional<std::int64_t> per_minute = {};
    std::optional<std::int64_t> per_hour = {};
    std::optional<std::int64_t> per_day = {};
    std::optional<std::int64_t> per_month = {};
    std::optional<std::int64_t> recipients_per_month = {};

    static constexpr auto fields = std::tuple{
        field("per_minute", &QuotaSettings::per_minute, range(1, 1'000'000'000), ""),
        field("per_hour", &QuotaSettings::per_hour, range(1, 1'000'000'000), ""),
        field("per_day", &QuotaSettings::per_day, range(1, 1'000'000'000), ""),
        field("per_month", &QuotaSettings::per_month, range(1, 1'000'000'000), ""),
        // Kept in memory, 16 octets each.
        field("recipients_per_month", &QuotaSettings::recipients_per_month, range(1, 100'000), ""),
    };
};

/// A GPIO line of the board that switches a modem's power.
struct PowerSettings {
    std::string chip = {};
    std::int64_t line = 0;
    bool active_low = false;
    milliseconds off{2'000};

    static constexpr auto fields = std::tuple{
        field("chip", &PowerSettings::chip, form(Form::any).needed(), "gpiochip0, or its label"),
        field("line", &PowerSettings::line, range(0, 4'095), "offset on the chip"),
        field("active_low", &PowerSettings::active_low, form(Form::any), "low is on"),
        field("off_ms", &PowerSettings::off, range(100, 60'000), "how long a pulse lasts"),
    };
};

struct ModemSettings {
    std::string name = {};
    std::string port = {};
    std::string number = {};  ///< empty: as the SIM says
    std::optional<SecretSource> pin = {};
    std::optional<QuotaSettings> quota = {};
    std::optional<PowerSettings> power = {};
    LineSettings line = {};  ///< [defaults] with this modem's own values over them
    int source_line = 0;     ///< of its [[modem]] in the file

    static constexpr auto fields = std::tuple{
        field("name", &ModemSettings::name, form(Form::name).needed(), "unique"),
        field("port", &ModemSettings::port, form(Form::absolute_path).needed(),
              "by-path names survive a replug"),
        field("number", &ModemSettings::number, form(Form::e164),
              "of its SIM, where the SIM does not say it: `to` of what it receives"),
        field("pin", &ModemSettings::pin, form(Form::any), "where the PIN is kept; never the PIN"),
        field("power", &ModemSettings::power, form(Form::any),
              "GPIO line that takes its power when nothing else helps"),
        field("quota", &ModemSettings::quota, form(Form::any),
              "segments a SIM may send; absent: any number"),
    };
};

}  // namespace smsrack::config
