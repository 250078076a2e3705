#include "drivers/gsm/exchange/self_diagnosis.hpp"

#include "drivers/gsm/fields.hpp"

#include <array>
#include <fmt/format.h>
#include <utility>

namespace smsrack::gsm {
namespace {

using namespace std::chrono_literals;

/// 3GPP TS 27.005 3.2.5.
constexpr int cms_centre_unknown = 330;
constexpr int cms_unknown = 500;

/// What one answer says.
struct Finding {
    bool fault = false;
    std::string words = {};
};

Finding sim_state(std::string_view line) {
    const auto state = field(line, 0);
    return {state != "READY", fmt::format("{}", state == "READY" ? "ready" : state)};
}

Finding network_state(std::string_view line) {
    switch (registration_of(number_field(line, 1))) {
        case ports::Registration::home:
            return {false, "registered, at home"};
        case ports::Registration::roaming:
            return {false, "registered, with a foreign network"};
        case ports::Registration::searching:
            return {true, "not registered, searching; check antenna and SIM"};
        case ports::Registration::denied:
            return {true, "registration denied; ask the SIM's operator"};
        case ports::Registration::not_registered:
        case ports::Registration::unknown:
            break;
    }
    return {true, "not registered; check antenna and SIM"};
}

Finding centre_state(std::string_view line) {
    return field(line, 0).empty()
               ? Finding{true, "the SIM has no number of one; set `smsc` for this modem"}
               : Finding{false, "set"};
}

Finding signal_state(std::string_view line) {
    const auto dbm = signal_of(line);
    if (!dbm) {
        return {true, "none; check the antenna"};
    }
    const bool weak = *dbm < ports::weak_signal_dbm;
    return {weak, fmt::format("{} dBm{}", *dbm, weak ? ", weak; check the antenna" : "")};
}

/// +CPMS: "SM",3,50,...
Finding storage_state(std::string_view line) {
    const auto used = number_field(line, 1);
    const auto total = number_field(line, 2);
    if (!used || !total) {
        return {true, "not told"};
    }
    const bool full = *used >= *total;
    return {full, fmt::format("{} of {} places used{}", *used, *total,
                              full ? ", full; read what is on the SIM and erase it" : "")};
}

struct Question {
    at::Command command;
    std::string_view subject;
    Finding (*judge)(std::string_view line);
};

// After AT+CPIN?, which may come without OK, a command with an information line.
constexpr std::array questions{
    Question{{.text = "AT+CPIN?", .prefix = "+CPIN:"}, "SIM", sim_state},
    Question{{.text = "AT+CREG?", .prefix = "+CREG:", .is_answer = is_creg_answer},
             "network",
             network_state},
    Question{{.text = "AT+CSCA?", .prefix = "+CSCA:"}, "service centre", centre_state},
    Question{{.text = "AT+CSQ", .prefix = "+CSQ:"}, "signal", signal_state},
    Question{{.text = "AT+CPMS?", .prefix = "+CPMS:"}, "storage of the SIM", storage_state},
};
constexpr std::size_t sim_question = 0;
constexpr std::size_t centre_question = 2;

/// The modem said no, and nothing about why.
bool is_opaque(const SubmitOutcome& outcome, bool pdu_sent) {
    if (outcome.kind != OutcomeKind::refused) {
        return false;
    }
    return (outcome.cause.kind == CodeKind::cms && outcome.cause.code == cms_unknown) ||
           (outcome.cause.kind == CodeKind::plain_error && pdu_sent);
}

}  // namespace

std::string centre_command(std::string_view number) {
    // 3GPP TS 24.011 8.2.5.2: type of address; 145 international, 129 unknown.
    return fmt::format("AT+CSCA=\"{}\",{}", number, number.starts_with('+') ? 145 : 129);
}

SelfDiagnosis::SelfDiagnosis(const Shared& modem) : Speaker(modem), question_(questions.size()) {}

void SelfDiagnosis::begin() {
    question_ = questions.size();
    asking_ = false;
    centre_due_ = false;
}

void SelfDiagnosis::after_submit(const SubmitOutcome& outcome, bool pdu_sent, SteadyTime now) {
    centre_due_ = centre_due_ ||
                  (outcome.kind == OutcomeKind::refused && outcome.cause.kind == CodeKind::cms &&
                   outcome.cause.code == cms_centre_unknown);
    if (is_opaque(outcome, pdu_sent) && now >= not_before_) {
        not_before_ = now + period;
        question_ = 0;
        text_.clear();
        faults_ = 0;
    }
}

bool SelfDiagnosis::speak(SteadyTime now) {
    if (question_ < questions.size()) {
        line_.clear();
        asking_ = true;
        at::Command command = questions.at(question_).command;
        if (question_ == sim_question) {
            command.ends = profile_.init.row(InitStep::pin_state).command.ends;
        }
        channel_.start(command, now);
        return true;
    }
    if (std::exchange(centre_due_, false) && !settings_.smsc.empty()) {
        reporter_.note(LogLevel::warn, "centre_restored",
                       "the SIM had no service centre; the configured one is written to it");
        command_ = centre_command(settings_.smsc);
        channel_.start({.text = command_, .timeout = 10s}, now);
        return true;
    }
    return false;
}

void SelfDiagnosis::on_line(at::LineKind, std::string_view line, SteadyTime) {
    line_ = line;
}

std::optional<Trigger> SelfDiagnosis::on_final(at::FinalResult result, SteadyTime) {
    const bool timed_out = result.kind == at::FinalKind::timed_out;
    if (std::exchange(asking_, false)) {
        take_answer(result);
        question_ = timed_out ? questions.size() : question_ + 1;
        if (question_ == questions.size()) {
            conclude();
        }
    }
    return timed_out ? std::optional(Trigger::no_answer) : std::nullopt;
}

void SelfDiagnosis::take_answer(at::FinalResult result) {
    const Question& asked = questions.at(question_);
    Finding finding;
    if (result.kind == at::FinalKind::timed_out) {
        finding = {true, fmt::format("no answer to {}; the modem hangs", asked.command.text)};
    } else if (line_.empty()) {
        finding = {true, fmt::format("{} answered {}", asked.command.text, at::to_text(result))};
    } else {
        finding = asked.judge(line_);
    }
    faults_ += finding.fault ? 1 : 0;
    centre_due_ = centre_due_ || (question_ == centre_question && finding.fault && !line_.empty());
    text_ +=
        fmt::format("{} {}: {}\n", finding.fault ? "WRONG" : "ok   ", asked.subject, finding.words);
}

void SelfDiagnosis::conclude() {
    text_ += faults_ > 0
                 ? "What is marked WRONG is a likely cause.\n"
                 : "Nothing is wrong on this side: the network refused it without a reason. Often "
                   "the SIM has no credit or may not send; ask its operator.\n";
    reporter_.tell(ports::Diagnosis{std::exchange(text_, {})});
}

}  // namespace smsrack::gsm
