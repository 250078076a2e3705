#include "src/cluster/mail_reader.hpp"

#include "src/cluster/message_form.hpp"

#include <utility>

namespace smsrack::cluster {

void MailReader::begin() {
    if (of_ != *seat_.seat()) {
        mark_ = {};  // the engine may be another one, or an older state of it
        of_ = *seat_.seat();
        orders_.clear();
        owes_ = false;
    }
    if (!owes_ && looks_left_ == 0 && has_none()) {
        return end();
    }
    read_.clear();
    world_.ask(world_.engine, ports::ReadMail{.seat = of_, .after = mark_, .limit = round_max},
               [this](Result<ports::MailRead> read) {
                   if (!read) {
                       return give_up(of_, read.error());
                   }
                   owes_ = false;
                   carry_out();
                   if (read->mail.empty()) {
                       look_again();
                       return end();
                   }
                   keep(std::move(read->mail), read->mark);
               });
}

/// After a notice, which came before what it speaks of can be read.
void MailReader::look_again() {
    if (looks_left_ > 0 && --looks_left_ > 0) {
        wake_at(world_.clock.steady() + look_pause);
    }
}

bool MailReader::has_none() const {
    const auto& look = seat_.last_look();
    return look && !look->has_mail && look->read.mail == mark_;
}

void MailReader::carry_out() {
    for (const UpgradeLetter& order : std::exchange(orders_, {})) {
        upgrader_.heard(order);
    }
}

void MailReader::keep(std::vector<std::string> letters, ports::ReadMark mark) {
    if (letters.empty()) {
        mark_ = mark;
        owes_ = true;
        orders_ = std::exchange(read_, {});
        return end(true);  // which acknowledges them
    }
    const std::string first = std::move(letters.front());
    letters.erase(letters.begin());
    const auto letter = letter_of(first);
    auto report = letter ? Result<ReportLetter>() : report_letter_of(first);
    if (!letter && report) {
        return take(*std::move(report), std::move(letters), mark);
    }
    if (!letter) {
        note_other(first);
        return keep(std::move(letters), mark);
    }
    world_.ask(
        world_.store,
        ports::EndElsewhere{.message = letter->message,
                            .state = letter->state,
                            .detail = letter->detail,
                            .box = letter->box,
                            .at = world_.clock.wall()},
        [this, letters = std::move(letters), mark](const Result<MessageState>& kept) mutable {
            const bool is_over =
                kept || kept.error().code == Errc::conflict || kept.error().code == Errc::not_found;
            if (!is_over) {
                return end();  // they come again
            }
            keep(std::move(letters), mark);
        });
}

/// Of a later release, which writes what this one does not know, nothing is kept.
void MailReader::note_other(const std::string& letter) {
    if (auto order = upgrade_letter_of(letter)) {
        read_.push_back(*std::move(order));
    } else if (const auto answer = upgrade_answer_of(letter)) {
        upgrader_.heard(*answer);
    } else if (auto asked = question_letter_of(letter)) {
        questions_.heard(*std::move(asked));
    } else if (auto answered = answer_letter_of(letter)) {
        questions_.heard(*std::move(answered));
    }
}

/// Where the message is another box's, nothing is kept of it.
void MailReader::take(ReportLetter report, std::vector<std::string> rest, ports::ReadMark mark) {
    report.stray.report.received_at +=
        seat_.ahead_of(report.from).value_or(std::chrono::milliseconds(0));
    world_.ask(world_.store, ports::TakeReport{std::move(report.stray)},
               [this, rest = std::move(rest), mark](const Result<bool>& taken) mutable {
                   if (!taken) {
                       return end();  // they come again
                   }
                   keep(std::move(rest), mark);
               });
}

}  // namespace smsrack::cluster
