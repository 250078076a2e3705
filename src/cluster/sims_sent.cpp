#include "src/cluster/sims_sent.hpp"

#include "src/cluster/sim_form.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::cluster {

std::map<std::string, std::uint32_t> SimsSent::seen() const {
    std::map<std::string, std::uint32_t> seen;
    for (const auto& [iccid, sent] : sent_) {
        seen.emplace(iccid, sent.seen);
    }
    return seen;
}

SteadyTime SimsSent::sent_at(const std::string& iccid) const {
    const auto found = sent_.find(iccid);
    return found == sent_.end() ? never : found->second.at;
}

void SimsSent::add_news(ports::SharedSim& shared, const Counted& counted, std::size_t most) const {
    static const Sent nothing;
    const auto found = sent_.find(counted.iccid);
    const Sent& sent = found == sent_.end() ? nothing : found->second;
    if (std::string form = form_of(counted.count.usage); form != sent.form) {
        shared.form = std::move(form);
    }
    for (const std::uint64_t hash : counted.count.recipients) {
        const ports::SimRecipient to{.month = counted.count.usage.month.period, .recipient = hash};
        if (shared.recipients.size() < most && !sent.recipients.contains(to)) {
            shared.recipients.push_back(to);
        }
    }
}

void SimsSent::note(const ports::SharedSim& shared, const Counted& counted, SteadyTime now) {
    Sent& sent = sent_[shared.iccid];
    if (!shared.form.empty()) {
        sent.form = shared.form;
        sent.at = now;
    }
    sent.recipients.insert(shared.recipients.begin(), shared.recipients.end());
    const std::int64_t month = counted.count.usage.month.period;
    std::erase_if(sent.recipients, [month](const auto& to) { return to.month < month; });
    const bool has_all = std::ranges::all_of(counted.count.recipients, [&](std::uint64_t hash) {
        return sent.recipients.contains({.month = month, .recipient = hash});
    });
    if (has_all && (!counted.count.recipients.empty() || sent.recipients.empty())) {
        sent.seen = counted.count.usage.recipients.count;
    }
}

}  // namespace smsrack::cluster
