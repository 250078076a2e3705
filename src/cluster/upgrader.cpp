#include "src/cluster/upgrader.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::cluster {
namespace {

using ports::BoxRow;

// The letter may be there before the beat that it names.
constexpr std::int64_t beats_ahead = 2;

}  // namespace

/// Who has ordered it looks at the program next.
void Upgrader::begins_by_hand_over(std::optional<std::string> why_not) {
    failure_ = std::move(why_not);
    (void)own_program();
    news_();
}

/// Read once, and not before someone asks: it is megabytes on a slow disk.
const std::string& Upgrader::own_program() {
    if (own_program_.empty() && side_.program) {
        own_program_ = side_.program();
    }
    return own_program_;
}

/// Null: none is known.
const BoxRow* Upgrader::row_of(auto matches) const {
    const auto& boxes = seat_.fleet().boxes;
    const auto found = std::ranges::find_if(boxes, matches);
    return found == boxes.end() ? nullptr : &*found;
}

void Upgrader::order(const std::string& name, ports::UpgradeOrder order, bool again,
                     ports::Done<void> done) {
    const auto own = seat_.own_row();
    if (!seat_.is_seated() || !own) {
        return done(std::unexpected(engine_away()));
    }
    const BoxRow* const box = row_of([&](const BoxRow& row) { return row.name == name; });
    if (box == nullptr) {
        return done(fail(Errc::not_found, "no box of the fleet has the name " + name));
    }
    if (box->box == own->box) {
        return done(fail(Errc::conflict, "it is this box: `smsrack upgrade`"));
    }
    if (!seat_.is_running(*box)) {
        return done(fail(Errc::conflict, name + " does not run"));
    }
    Ordered& ordered = ordered_[box->box];
    if (!again || ordered.hash != order.hash) {
        ordered = {.since = std::max(own->beats, ordered.since + 1), .hash = order.hash};
        news_();
    }
    const UpgradeMark mark{.by = own->box, .since = ordered.since, .beats = own->beats};
    send(box->box, form_of(UpgradeLetter{.mark = mark, .order = std::move(order)}),
         std::move(done));
}

/// The box that gave it is there, and has not beaten often since. One that died before this box began to watch seems to be
/// there at first.
bool Upgrader::is_fresh(const BoxRow& by, std::int64_t beats) const {
    return seat_.is_running(by) && seat_.watch().has_beaten(by.box) &&
           beats >= by.beats - order_beats && beats <= by.beats + beats_ahead;
}

/// Once: what an earlier program has noted.
void Upgrader::look_up() {
    if (std::exchange(is_looked_up_, true) || !side_.noted) {
        return;
    }
    if (auto letter = upgrade_letter_of(side_.noted())) {
        begun_ = Begun{.mark = letter->mark,
                       .hash = std::move(letter->order.hash),
                       .why_not = failure_.value_or("it was to hand over, and runs another "
                                                    "program all the same: see its log")};
    }
}

bool Upgrader::is_begun(const UpgradeLetter& letter) const {
    return begun_ && begun_->mark.by == letter.mark.by && begun_->mark.since == letter.mark.since &&
           begun_->hash == letter.order.hash;
}

/// What is old, or comes while an order is under way, has no answer: the box that waits for one repeats its order.
void Upgrader::heard(const UpgradeLetter& letter) {
    if (own_program() == letter.order.hash) {
        return answer(letter, {});
    }
    look_up();
    if (begun_ && !begun_->why_not) {
        return;
    }
    if (is_begun(letter)) {
        return answer(letter, *begun_->why_not);
    }
    const BoxRow* const by = row_of([&](const BoxRow& row) { return row.box == letter.mark.by; });
    if (by == nullptr || !is_fresh(*by, letter.mark.beats)) {
        return;
    }
    if (!side_.carry_out) {
        return answer(letter, "its program can't be upgraded");
    }
    begin(by->name, letter);
}

void Upgrader::begin(const std::string& by, const UpgradeLetter& letter) {
    begun_ = Begun{.mark = letter.mark, .hash = letter.order.hash};
    if (!side_.note(form_of(letter))) {
        return refused(letter, {.code = Errc::storage,
                                .context = "it can't note on its disk that it hands over"});
    }
    side_.carry_out(by, letter.order, [this, letter](const Error& error) {
        world_.desk.post([this, letter, error] { refused(letter, error); });
    });
}

void Upgrader::refused(const UpgradeLetter& letter, const Error& error) {
    if (!is_begun(letter)) {
        return;
    }
    if (error.code == Errc::busy) {
        begun_.reset();  // with another order; the next letter may find it idle
        return;
    }
    begun_->why_not = error.context;
    answer(letter, error.context);
}

/// One that gets lost is given again for the next letter.
void Upgrader::answer(const UpgradeLetter& letter, std::string why_not) {
    const auto own = seat_.own_row();
    if (!seat_.seat() || !own) {
        return;
    }
    send(letter.mark.by,
         form_of(UpgradeAnswer{.from = own->box,
                               .mark = letter.mark,
                               .hash = letter.order.hash,
                               .epoch = seat_.seat()->epoch,
                               .why_not = std::move(why_not)}),
         [](const Result<>&) {});
}

void Upgrader::heard(const UpgradeAnswer& answer) {
    const auto ordered = ordered_.find(answer.from);
    const bool is_of_the_last = ordered != ordered_.end() &&
                                answer.mark.since == ordered->second.since &&
                                answer.hash == ordered->second.hash;
    if (is_of_the_last) {
        ordered->second.answer = answer;
        news_();
    }
}

/// Under another epoch another program may run by now.
Upgrader::Answer Upgrader::answer_of(const BoxRow& box) const {
    if (seat_.seat() && box.box == seat_.seat()->box) {
        return {.program = own_program_};
    }
    const auto ordered = ordered_.find(box.box);
    if (ordered == ordered_.end() || !ordered->second.answer) {
        return {};
    }
    const UpgradeAnswer& answer = *ordered->second.answer;
    const bool runs = answer.why_not.empty() && answer.epoch == box.epoch;
    return {.program = runs ? answer.hash : "", .why_not = answer.why_not};
}

void Upgrader::send(BoxNumber to, std::string form, ports::Done<void> done) {
    ports::SendMail command{.seat = *seat_.seat()};
    command.mail.push_back({.to = to, .form = std::move(form)});
    world_.ask(world_.engine, std::move(command),
               [done = std::move(done)](Result<> sent) mutable { done(std::move(sent)); });
}

}  // namespace smsrack::cluster
