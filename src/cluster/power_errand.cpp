#include "src/cluster/power_errand.hpp"

#include <algorithm>

namespace smsrack::cluster {

using ports::BoxLife;
using ports::PowerOrder;

void PowerErrand::give(PowerOrder what, BoxNumber box, std::string name) {
    const BoxNode* const seen = picture_.node_of(box);
    open_ = Order{.number = ++given_,
                  .what = what,
                  .box = box,
                  .name = name,
                  .beats = seen == nullptr ? 0 : seen->row.beats};
    power_->order(what, std::move(name), [this, number = given_](Result<> how) {
        world_.desk.post(
            [this, number, how = std::move(how)]() mutable { answered(number, std::move(how)); });
    });
}

/// One that a person's word has ended may be answered after the next one was given.
void PowerErrand::answered(std::int64_t number, Result<> how) {
    if (open_ && open_->number == number && !open_->how) {
        const BoxNode* const seen = picture_.node_of(open_->box);
        // A box that is on its way down may have beaten a last time.
        open_->beats = seen == nullptr ? open_->beats : std::max(open_->beats, seen->row.beats);
        open_->since = world_.clock.steady();
        open_->how = std::move(how);
        answered_();
    }
}

void PowerErrand::fail(std::string words) {
    if (open_->what == PowerOrder::wake) {
        failed_[open_->box] = ++failures_;
    }
    trouble_ = Trouble{.box = open_->box, .what = open_->what};
    words_ = std::move(words);
}

void PowerErrand::look_at_trouble() {
    if (!trouble_) {
        return;
    }
    const BoxNode* const box = picture_.node_of(trouble_->box);
    const bool is_off = box == nullptr || !box->beats || box->row.life != BoxLife::parked;
    const bool is_on = box == nullptr || box->beats || !may_come_back(box->row.life);
    if (trouble_->what == PowerOrder::park ? is_off : is_on) {
        trouble_.reset();
        words_.clear();
    }
}

}  // namespace smsrack::cluster
