#include "src/cluster/questions.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::cluster {
namespace {

constexpr std::size_t kept_for_admins = 2;

}  // namespace

Result<BoxNumber> Questions::asked(const std::string& box, const ports::BoxAsker& by) const {
    const auto own = seat_.own_row();
    if (!seat_.is_seated() || !own) {
        return std::unexpected(engine_away());
    }
    const auto& boxes = seat_.fleet().boxes;
    const auto row = std::ranges::find(boxes, box, &ports::BoxRow::name);
    if (row == boxes.end()) {
        return fail(Errc::not_found, "no box of the fleet has the name " + box);
    }
    if (row->box == own->box) {
        return fail(Errc::conflict, "it is this box");
    }
    if (!seat_.is_running(*row)) {
        return fail(Errc::conflict, box + " does not run, so it can't be asked");
    }
    const auto own_share = std::ranges::count(
        open_, by.name, [](const auto& one) -> const std::string& { return one.second.asker; });
    const std::size_t most = by.is_admin ? open_max : open_max - kept_for_admins;
    if (open_.size() >= most || static_cast<std::size_t>(own_share) >= share_max) {
        return std::unexpected(
            Error{.code = Errc::busy,
                  .context = "too many questions to other boxes wait for their answers",
                  .retry_after = std::chrono::seconds(1)});
    }
    return row->box;
}

void Questions::ask(const std::string& box, ports::BoxQuestion question, const ports::BoxAsker& by,
                    ports::Done<ports::BoxAnswer> done) {
    const auto to = asked(box, by);
    if (!to) {
        return done(std::unexpected(to.error()));
    }
    const QuestionLetter letter{.mark = {.by = *seat_.seat(), .number = ++asked_},
                                .beats = seat_.own_row()->beats,
                                .lasts = within / (world_.settings.lease / beats_a_lease) + 1,
                                .question = std::move(question)};
    open_.emplace(letter.mark.number, Open{.by = letter.mark.by,
                                           .box = box,
                                           .asker = by.name,
                                           .until = world_.clock.steady() + within,
                                           .done = std::move(done)});
    send_question(*to, letter);
}

/// Where the engine does not say whether it has it, the answer may come all the same.
void Questions::send_question(BoxNumber to, const QuestionLetter& letter) {
    ports::SendMail command{.seat = letter.mark.by, .hurries = true};
    command.mail.push_back({.to = to, .form = form_of(letter)});
    world_.ask(world_.engine, std::move(command), [this, mark = letter.mark](const Result<>& sent) {
        if (sent) {
            return;
        }
        seat_.note(mark.by, sent.error());
        if (sent.error().code != Errc::outcome_unknown) {
            finish(mark.number, std::unexpected(engine_away()));
        }
    });
}

void Questions::finish(std::int64_t number, Result<ports::BoxAnswer> answer) {
    if (auto open = open_.extract(number)) {
        open.mapped().done(std::move(answer));
    }
}

/// Someone waits for it still. A box that died before this one began to watch seems to be there at first.
bool Questions::is_fresh(const QuestionLetter& letter) const {
    const auto& boxes = seat_.fleet().boxes;
    const auto by = std::ranges::find(boxes, letter.mark.by.box, &ports::BoxRow::box);
    if (by == boxes.end() || !seat_.is_running(*by) || !seat_.watch().has_beaten(by->box)) {
        return false;
    }
    const auto newest = heard_.find(by->box);
    const bool is_new =
        newest == heard_.end() || std::pair(letter.mark.by.epoch, letter.mark.number) >
                                      std::pair(newest->second.by.epoch, newest->second.number);
    return is_new && letter.mark.by.epoch >= by->epoch && letter.beats + letter.lasts >= by->beats;
}

void Questions::heard(QuestionLetter letter) {
    if (std::exchange(returns_, seat_.returns()) != seat_.returns()) {
        heard_.clear();  // of another engine, or an older state of it, which counts epochs back
    }
    drop_old();
    if (!answer_ || !is_fresh(letter)) {
        return;
    }
    heard_.insert_or_assign(letter.mark.by.box, letter.mark);
    const SteadyTime until = world_.clock.steady() + within;
    if (answering_ + replies_.size() >= answers_max) {
        return;  // who asks hears that no answer came
    }
    ++answering_;
    answer_(std::move(letter.question), [this, mark = letter.mark, until](ports::BoxAnswer answer) {
        world_.desk.post([this, mark, until, answer = std::move(answer)]() mutable {
            --answering_;
            reply({.mark = mark, .answer = std::move(answer), .until = until});
        });
    });
}

void Questions::reply(Reply reply) {
    replies_.push_back(std::move(reply));
    send_reply();
}

void Questions::drop_old() {
    const SteadyTime now = world_.clock.steady();
    std::erase_if(replies_, [now](const Reply& one) { return one.until <= now; });
}

void Questions::send_reply() {
    drop_old();
    if (sends_ || replies_.empty() || !seat_.is_seated()) {
        return;
    }
    const Reply reply = std::move(replies_.front());
    replies_.pop_front();
    sends_ = true;
    ports::SendMail command{.seat = *seat_.seat(), .hurries = true};
    command.mail.push_back(
        {.to = reply.mark.by.box,
         .form = form_of(AnswerLetter{.mark = reply.mark, .answer = reply.answer})});
    world_.ask(world_.engine, std::move(command), [this, of = command.seat](const Result<>& sent) {
        sends_ = false;
        if (!sent) {
            seat_.note(of, sent.error());
        }
        send_reply();
    });
}

void Questions::heard(AnswerLetter letter) {
    const auto open = open_.find(letter.mark.number);
    if (open != open_.end() && open->second.by == letter.mark.by) {
        finish(letter.mark.number, std::move(letter.answer));
    }
}

SteadyTime Questions::step(SteadyTime now) {
    send_reply();
    while (!open_.empty() && open_.begin()->second.until <= now) {
        const std::string box = open_.begin()->second.box;
        finish(open_.begin()->first,
               fail(Errc::timeout,
                    box + " has not answered within " + std::to_string(within.count()) + " s"));
    }
    return open_.empty() ? never : open_.begin()->second.until;
}

void Questions::end() {
    while (!open_.empty()) {
        finish(open_.begin()->first,
               std::unexpected(Error{.code = Errc::busy,
                                     .context = "this box hands over, or stops: ask again",
                                     .retry_after = std::chrono::seconds(1)}));
    }
}

}  // namespace smsrack::cluster
