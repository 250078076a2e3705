/// [destinations], [limits], [quiet_hours] and [opt_out]: the rules that hold messages back.
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

}  // namespace smsrack::config
