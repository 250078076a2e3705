#include "src/api/story/story_words.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace smsrack::api {
namespace {

using namespace std::chrono_literals;

struct Words {
    std::string_view word;
    std::string_view sentence;
};

constexpr std::array details{
    Words{"retry", "It is tried again after a pause."},
    Words{"retries_spent", "No further attempt is allowed."},
    Words{"refused", "The refusal is final, whatever modem is used."},
    Words{"bug", "This is a fault of smsrack; please report it with this story."},
    Words{"line_lost", "The modem was lost before anything had left: another one takes it."},
    Words{"sim_lost",
          "Some segments had gone out, and the SIM that took them did not come back in time."},
    Words{"quota", "No SIM of its group has this recipient left: it waits until one has."},
    Words{"unencodable", "It can't be encoded in a PDU."},
    Words{"duplicate_refused",
          "The service centre refused it as a duplicate: an earlier attempt had arrived there."},
    Words{"no_answer",
          "Whether the network took it is not known: no answer that can be trusted came."},
    Words{"late_answer", "The modem's answer came after it had been given up."},
    Words{"found_at_start", "Its outcome was found on the port when the service started."},
    Words{"answer_kept", "The modem's answer had been kept when the service ended."},
    Words{"outcome_unknown",
          "Its outcome stayed unknown. By the policy `report` it is not sent again, so that the "
          "recipient does not get it twice."},
    Words{"resend", "By the policy `resend` it is sent again, though it may have arrived."},
    Words{"ttl", "Its time to live (ttl_s) had ended."},
    Words{"by_request", "It was cancelled."},
    Words{"no_report",
          "No status report came in time: whether it was delivered is not known, and the service "
          "waits for its report no more."},
    Words{"replaced", "Its sender has given it another content."},
    Words{"batch_cancelled", "Its batch was cancelled."},
    Words{"self_sms_lost",
          "The network took this message of the rack to one of its own SIMs, and it did not come "
          "in there in time: look at this modem, and at the one it was sent to."},
    Words{"opted_out", "Its recipient had asked for no further messages before it left."},
    Words{"stop_counted",
          "Its recipient answered STOP: nothing more is sent to this number, but for what is "
          "exempt."},
    Words{"stop_ignored",
          "A message from its recipient's number said STOP and was ignored: the group that it came "
          "to had not written to the number within `written_days`, so the sender may be forged."},
    Words{"restart", "The service ended while it was in flight at a modem."},
};

constexpr std::array policies{
    Words{"report",
          "a late answer or a status report decides; without one it then fails, and is never sent "
          "twice"},
    Words{"resend",
          "a late answer or a status report decides; without one it is then sent again, at the "
          "risk that it arrives twice"},
    Words{"hold", "a late answer or a status report decides; without one an operator must decide"},
};

template <typename Rows>
std::string_view sentence_of(const Rows& rows, std::string_view word) {
    const auto* const row = std::ranges::find(rows, word, &Words::word);
    return row == rows.end() ? word : row->sentence;
}

}  // namespace

void add(std::string& text, std::string_view sentence) {
    if (!sentence.empty()) {
        text += (text.empty() ? "" : " ");
        text += sentence;
    }
}

std::string cause_words(Cause cause, const CauseInfo& info) {
    switch (cause.kind) {
        case CodeKind::none:
            break;
        case CodeKind::cms:
            return fmt::format("+CMS ERROR {}: {}", cause.code, info.meaning);
        case CodeKind::cme:
            return fmt::format("+CME ERROR {}: {}", cause.code, info.meaning);
        case CodeKind::tp_status:
            return fmt::format("status 0x{:02X}: {}", cause.code, info.meaning);
        case CodeKind::plain_error:
            return "ERROR, without a cause";
    }
    return {};
}

std::string_view consequence_words(CauseClass cause_class) {
    constexpr std::array<std::string_view, cause_class_names.size()> sentences{
        "",
        "That is final: no modem could send it.",
        "That passes: it is tried again later, by any modem.",
        "The modem or its SIM is at fault: the modem rests, and another one takes the message.",
        "The network is at fault: it is tried again later.",
        "With this the message may have gone out: it is not sent again without proof.",
        "The SIM is barred or spent: another modem takes the message.",
        "That is a fault of smsrack; please report it.",
    };
    return sentences.at(static_cast<std::size_t>(cause_class));
}

std::string_view detail_words(std::string_view detail) {
    return sentence_of(details, detail);
}

std::string_view policy_words(std::string_view policy) {
    return sentence_of(policies, policy);
}

std::string duration_words(std::chrono::milliseconds time) {
    const auto seconds = static_cast<double>(time.count()) / 1000.0;
    if (time < 10s) {
        return fmt::format("{:.2f} s", seconds);
    }
    if (time < 2min) {
        return fmt::format("{:.0f} s", seconds);
    }
    if (time < 2h) {
        return fmt::format("{:.0f} min", seconds / 60);
    }
    return time < 48h ? fmt::format("{:.0f} h", seconds / 3'600)
                      : fmt::format("{:.0f} days", seconds / 86'400);
}

}  // namespace smsrack::api
