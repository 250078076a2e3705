/// The whole configuration as typed structs: the values of smsrack.toml, and defaults for what it
/// leaves out.
///
/// Each struct has its `fields`: key, range and meaning. Modules get the part they need, never the
/// file.
///
/// Time:    durations are std::chrono; the keys name the unit of the file.
/// Errors:  every fault of the text is reported, not the first alone.
/// Source:  docs/man/smsrack.toml.5; the sections http, smpp, webhook and cluster are not known yet.
#pragma once

#include "src/base/log.hpp"
#include "src/config/field.hpp"
#include "src/config/trigger_settings.hpp"

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace smsrack::config {

using std::chrono::days;
using std::chrono::milliseconds;
using std::chrono::seconds;

struct FileMode {
    std::uint32_t bits = 0;  ///< as in chmod
    friend constexpr bool operator==(FileMode, FileMode) = default;
};

struct ServiceSettings {
    std::string state_dir = "/var/lib/smsrack";
    std::string socket = "/run/smsrack/smsrack.sock";
    FileMode socket_mode{0660};
    LogLevel log_level = LogLevel::info;
    std::string error_table = {};  ///< empty: the product's alone
    bool record_texts = false;
    seconds clock_wait{3'600};
    seconds upgrade_limit{10};
    std::int64_t connections = 1'024;
    std::int64_t connections_per_account = 512;
    std::int64_t memory_mib = 16;
    std::int64_t readers = 4;
    std::int64_t codec_threads = 2;

    static constexpr auto fields = std::tuple{
        field("state_dir", &ServiceSettings::state_dir, form(Form::absolute_path),
              "folder of the database"),
        field("socket", &ServiceSettings::socket, form(Form::socket_path), "local API"),
        field("socket_mode", &ServiceSettings::socket_mode, form(Form::file_mode),
              "who may use it: owner, group, others"),
        field("log_level", &ServiceSettings::log_level, form(Form::any),
              "error | warn | info | debug | trace"),
        field("error_table", &ServiceSettings::error_table, form(Form::absolute_path),
              "rows that go before the product's table of error codes"),
        field("record_texts", &ServiceSettings::record_texts, form(Form::any),
              "texts and numbers in the recorded dialogue of modems; PINs never"),
        field("clock_wait_s", &ServiceSettings::clock_wait, range(0, 31'622'400),
              "how long a clock older than the newest row is not trusted"),
        field("upgrade_limit_s", &ServiceSettings::upgrade_limit, range(1, 600),
              "each step of `smsrack upgrade` and `reload` at most; then this version continues"),
        field("connections", &ServiceSettings::connections, range(32, 16'384),
              "to the socket at once; 16 of them are kept for administrators"),
        field("connections_per_account", &ServiceSettings::connections_per_account,
              range(1, 16'384), "of one user of the system at once; administrators are exempt"),
        field("memory_mib", &ServiceSettings::memory_mib, range(4, 4'096),
              "for requests and unread answers of all clients together"),
        field("readers", &ServiceSettings::readers, range(1, 64),
              "threads that read the database, each with a connection; made when needed"),
        field("codec_threads", &ServiceSettings::codec_threads, range(1, 64),
              "threads that encode and decode messages; made when needed"),
    };
};

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

enum class ScalingPolicy : std::uint8_t { smsrack, paper };

template <>
struct Words<ScalingPolicy> {
    static constexpr std::array<std::string_view, 2> names{"smsrack", "paper"};
};

struct ScalingSettings {
    bool enabled = false;
    ScalingPolicy policy = ScalingPolicy::smsrack;
    std::int64_t n_min = 2;
    std::optional<std::int64_t> n_max = {};
    std::int64_t samples = 20;
    milliseconds period{30'000};
    double idle = 0.1;
    double busy = 0.7;
    double node_rate = 0;  ///< 0: learned
    bool radio_off = false;
    seconds listen{900};
    seconds awake{30};
    std::vector<std::string> calendar = {};
    int source_line = 0;  ///< of [scaling] in the file

    static constexpr auto fields = std::tuple{
        field("enabled", &ScalingSettings::enabled, form(Form::any),
              "modems are parked and unparked as the load needs"),
        field("policy", &ScalingSettings::policy, form(Form::any),
              "smsrack | paper (the published one to the letter)"),
        field("n_min", &ScalingSettings::n_min, range(1, 1'024), "never fewer modems"),
        field("n_max", &ScalingSettings::n_max, range(1, 1'024),
              "never more modems; absent: all of them"),
        field("samples", &ScalingSettings::samples, range(10, 100), "of one decision"),
        field("period_ms", &ScalingSettings::period, range(100, 3'600'000), "between two samples"),
        field("idle", &ScalingSettings::idle, range(0, 1),
              "below this part a modem is idle; 0.01 to 0.2"),
        field("busy", &ScalingSettings::busy, range(0, 1),
              "above this part a modem is busy; 0.6 to 0.9"),
        field("node_rate", &ScalingSettings::node_rate, range(0, 1'000'000),
              "messages a second that a modem can carry; 0: learned"),
        field("radio_off", &ScalingSettings::radio_off, form(Form::any),
              "the radio of a parked modem goes off too, when nothing is expected for its SIM"),
        field("listen_s", &ScalingSettings::listen, range(10, 604'800),
              "how often such a modem is switched on to receive answers and reports"),
        field("awake_s", &ScalingSettings::awake, range(5, 3'600),
              "how long it then listens, and after each thing that it receives"),
        field(
            "calendar", &ScalingSettings::calendar, form(Form::holiday),
            "holidays that move, \"NAME YYYY-MM-DD\" for each year: the forecast goes by the last"),
    };
};

/// Front ends that name themselves.
struct ClientsSettings {
    seconds disconnect{30};
    seconds heartbeat{0};
    std::int64_t buffered_max = 1'000'000;
    bool known_only = false;

    static constexpr auto fields = std::tuple{
        field("disconnect_s", &ClientsSettings::disconnect, range(1, 86'400),
              "a lost connection: link pending -> stop"),
        field("heartbeat_s", &ClientsSettings::heartbeat, range(0, 86'400),
              "a listening client that says nothing for so long is cut off; 0: never"),
        field("buffered_max", &ClientsSettings::buffered_max, range(1, 1'000'000'000),
              "results that a client has not acknowledged; beyond: it gets 503"),
        field("known_only", &ClientsSettings::known_only, form(Form::any),
              "only the names of [[client]] may be used"),
    };
};

/// What one of them may have open; absent: as [clients] says.
struct ClientSettings {
    std::string name = {};
    std::string user = {};
    std::optional<std::int64_t> buffered_max = {};
    std::optional<std::int64_t> waiting_max = {};
    int source_line = 0;

    static constexpr auto fields = std::tuple{
        field("name", &ClientSettings::name, form(Form::name).needed(), "unique"),
        field("user", &ClientSettings::user, form(Form::name),
              "account that may use the name on the socket; absent: administrators only"),
        field("buffered_max", &ClientSettings::buffered_max, range(1, 1'000'000'000),
              "results that it has not acknowledged; beyond: it gets 503"),
        field("waiting_max", &ClientSettings::waiting_max, range(1, 1'000'000'000),
              "its messages that are not at their end; beyond: it gets 503"),
    };
};

struct DedupSettings {
    seconds window{0};
    std::string rebuild_at = "03:30";
    std::int64_t cache_mib = 256;

    static constexpr auto fields = std::tuple{
        field("window_s", &DedupSettings::window, range(0, 2'678'400),
              "same number and text within this time is refused; 0: off"),
        field("rebuild_at", &DedupSettings::rebuild_at, form(Form::time_of_day),
              "when the triggers' filters are rebuilt each day, UTC"),
        field("cache_mib", &DedupSettings::cache_mib, range(1, 65'536),
              "memory for confirmed pairs of all triggers; 4 to 9 octets a pair"),
    };
};

struct RetentionSettings {
    days keep{90};
    std::optional<days> anonymise = {};

    static constexpr auto fields = std::tuple{
        field("keep_days", &RetentionSettings::keep, range(1, 36'500),
              "older rows in a final state are removed"),
        field("anonymise_days", &RetentionSettings::anonymise, range(1, 36'500),
              "older ones lose number and text; absent: never"),
    };
};

/// What becomes of a message to a premium or shared-cost number.
enum class PremiumPolicy : std::uint8_t { refuse, allow };

template <>
struct Words<PremiumPolicy> {
    static constexpr std::array<std::string_view, 2> names{"refuse", "allow"};
};

/// Whom messages may go to. The longest prefix that fits decides.
struct DestinationSettings {
    std::vector<std::string> allow = {};
    std::vector<std::string> deny = {};
    PremiumPolicy premium = PremiumPolicy::refuse;
    int source_line = 0;

    static constexpr auto fields = std::tuple{
        field("allow", &DestinationSettings::allow, form(Form::prefix),
              "prefixes of numbers; where there are any, no other number is sent to"),
        field("deny", &DestinationSettings::deny, form(Form::prefix),
              "prefixes that are refused, unless a longer one is allowed"),
        field("premium", &DestinationSettings::premium, form(Form::any),
              "numbers that cost more: refuse (unless such a prefix is in allow) | allow"),
    };
};

/// How many messages may go to one number; absent: any number.
struct LimitSettings {
    std::optional<std::int64_t> per_recipient_hour = {};
    std::optional<std::int64_t> per_recipient_day = {};

    static constexpr auto fields = std::tuple{
        field("per_recipient_hour", &LimitSettings::per_recipient_hour, range(1, 10'000),
              "messages to one number within any 60 minutes"),
        field("per_recipient_day", &LimitSettings::per_recipient_day, range(1, 10'000),
              "messages to one number within any 24 hours"),
    };
};

/// What becomes of a message that comes within quiet hours.
enum class QuietAction : std::uint8_t { wait, refuse };

template <>
struct Words<QuietAction> {
    static constexpr std::array<std::string_view, 2> names{"wait", "refuse"};
};

struct QuietHoursSettings {
    std::string from = {};  ///< empty: there are no quiet hours
    std::string to = {};
    std::string zone = "UTC";
    std::int64_t below_priority = priority_levels - 1;
    QuietAction action = QuietAction::wait;
    int source_line = 0;

    static constexpr auto fields = std::tuple{
        field("from", &QuietHoursSettings::from, form(Form::time_of_day),
              "when they begin, such as \"21:00\"; absent: there are none"),
        field("to", &QuietHoursSettings::to, form(Form::time_of_day), "when they end"),
        field("zone", &QuietHoursSettings::zone, form(Form::zone), "whose clock that is"),
        field("below_priority", &QuietHoursSettings::below_priority, range(1, priority_levels),
              "messages of lower levels keep them; 7: all"),
        field("action", &QuietHoursSettings::action, form(Form::any),
              "of a message that comes within: wait (until they end) | refuse"),
    };
};

/// Answers that end and begin further messages to their sender.
struct OptOutSettings {
    std::vector<std::string> words = {"STOP",
                                      "STOPALL",
                                      "STOP SMS",
                                      "UNSUBSCRIBE",
                                      "ARRET",
                                      "ARR\u00CAT",
                                      "DESABONNER",
                                      "STOPP",
                                      "ABMELDEN",
                                      "BAJA",
                                      "AFMELDEN",
                                      "SAIR",
                                      "\u0421\u0422\u041E\u041F"};
    std::vector<std::string> start_words = {"START", "UNSTOP", "ALTA",
                                            "\u0421\u0422\u0410\u0420\u0422"};

    days written{90};
    std::vector<std::string> exempt_groups = {};
    std::optional<std::int64_t> exempt_priority = {};
    int source_line = 0;

    static constexpr auto fields = std::tuple{
        field("words", &OptOutSettings::words, form(Form::word),
              "an answer of nothing but one of them puts its sender on the opt-out list"),
        field("start_words", &OptOutSettings::start_words, form(Form::word),
              "an answer of nothing but one of them takes its sender off the list"),
        field(
            "written_days", &OptOutSettings::written, range(0, 3'650),
            "STOP counts if the group that it came to has written to its sender within; 0: always"),
        field("exempt_groups", &OptOutSettings::exempt_groups, form(Form::name),
              "their messages go to numbers on the opt-out list too"),
        field("exempt_priority", &OptOutSettings::exempt_priority, range(0, priority_levels - 1),
              "so do messages of this priority and above; absent: none"),
    };
};

struct Settings {
    ServiceSettings service = {};
    LineSettings defaults = {};
    std::vector<ModemSettings> modems = {};  ///< in order of the file; ModemId is the index
    std::vector<RouteSettings> routes = {};  ///< first match wins
    QueueSettings queue = {};
    PrioritySettings priority = {};
    ScalingSettings scaling = {};
    DedupSettings dedup = {};
    ClientsSettings clients = {};
    std::vector<ClientSettings> client_list = {};
    RetentionSettings messages = {};
    RetentionSettings inbox = {};
    DestinationSettings destinations = {};
    LimitSettings limits = {};
    QuietHoursSettings quiet_hours = {};
    OptOutSettings opt_out = {};
    std::vector<TriggerSettings> triggers = {};  ///< in order of the file
};

/// The database within state_dir.
inline constexpr std::string_view database_name = "smsrack.db";

/// More modems than any rack; bounds threads and files.
inline constexpr std::size_t modems_max = 1'024;

struct ConfigProblem {
    int line = 0;              ///< 0: the problem has no line
    std::string key = {};      ///< "queue.capacity"; empty where the text is not TOML
    std::string message = {};  ///< what was expected
    std::string file = {};     ///< empty: the configuration; else a file that it names
    bool may_pass = false;     ///< of the machine, not of a file: the next start may be better
};

/// In order of lines.
using ConfigProblems = std::vector<ConfigProblem>;

/// "FILE:LINE: KEY: MESSAGE", without a newline. `file` is the configuration's name.
[[nodiscard]] std::string problem_line(const std::string& file, const ConfigProblem& problem);
/// The same of something that the service starts with nevertheless: "FILE:LINE: warning: KEY: MESSAGE".
[[nodiscard]] std::string warning_line(const std::string& file, const ConfigProblem& problem);

struct ConfigError {
    std::string file = {};
    ConfigProblems problems = {};  ///< at least one

    /// "FILE:LINE: KEY: MESSAGE", without a newline.
    [[nodiscard]] std::string line_of(const ConfigProblem& problem) const;

    /// A line for each problem.
    [[nodiscard]] std::string text() const;
};

/// `file` is the name for messages; reading it is the caller's.
[[nodiscard]] std::expected<Settings, ConfigError> load_settings(std::string_view text,
                                                                 const std::string& file);

}  // namespace smsrack::config
