/// The network within the rack: a message from one modem to the number of another arrives there.
///
/// Passes on all entries to another journal.
/// Time:    `delay` after the network took it.
/// Threads: one.
#pragma once

#include "tools/modem_model/journal.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace smsrack::modem_sim {

class OwnNumbers final : public Journal {
public:
    struct OnItsWay {
        std::size_t to = 0;
        unsigned from = 0;
        std::string submit = {};  ///< PDU with its service centre field
    };

    /// `first`: number of the first modem. `delay` below 0: such messages go the way of all others. `journal` outlives the
    /// object.
    OwnNumbers(unsigned first, unsigned modems, std::chrono::milliseconds delay, Journal& journal);

    void submit(SteadyTime at, unsigned modem, const SubmitEntry& entry) override;
    void refused(SteadyTime at, unsigned modem, int cms_code) override {
        journal_.refused(at, modem, cms_code);
    }
    void delivery(SteadyTime at, unsigned modem, const DeliveryEntry& entry) override {
        journal_.delivery(at, modem, entry);
    }
    void given(SteadyTime at, unsigned modem, const DeliveryEntry& entry) override {
        journal_.given(at, modem, entry);
    }
    void fault(SteadyTime at, unsigned modem, std::string_view name) override {
        journal_.fault(at, modem, name);
    }

    /// Of the SIM that this modem has at first.
    [[nodiscard]] std::string number_of(unsigned modem) const;

    /// When the next one is there; `never`: none is on its way.
    [[nodiscard]] SteadyTime due() const {
        return on_their_way_.empty() ? never : on_their_way_.begin()->first;
    }
    /// The next one; there must be one.
    [[nodiscard]] OnItsWay take();

private:
    const unsigned first_;
    const std::chrono::milliseconds delay_;
    Journal& journal_;
    std::map<std::string, std::size_t, std::less<>> modem_of_;  // by number
    std::multimap<SteadyTime, OnItsWay> on_their_way_;
};

}  // namespace smsrack::modem_sim
