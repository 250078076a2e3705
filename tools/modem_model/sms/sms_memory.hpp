/// A message storage with a fixed number of places: "SM" on the SIM, "SR" for status reports.
///
/// Unit:    places are numbered from 1, as in AT+CMGR.
/// Source:  3GPP TS 27.005 3.1.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::modem_sim {

enum class SmsStatus : std::uint8_t { unread = 0, read = 1, unsent = 2, sent = 3 };

struct StoredSms {
    SmsStatus status = SmsStatus::unread;
    std::string pdu = {};  ///< octets, service centre field first
    std::size_t tpdu_length = 0;
    std::uint64_t id = 0;  ///< of the inbound message, for the journal
};

class SmsMemory {
public:
    explicit SmsMemory(std::size_t places) : places_(places) {}

    /// The lowest free place; nullopt if all are taken.
    [[nodiscard]] std::optional<std::size_t> add(StoredSms sms) {
        if (full()) {
            return std::nullopt;
        }
        const auto place =
            std::ranges::find_if(places_, [](const auto& p) { return !p.has_value(); });
        *place = std::move(sms);
        ++used_;
        return static_cast<std::size_t>(place - places_.begin()) + 1;
    }
    /// Null where the place is empty or does not exist. Valid until the place is erased.
    [[nodiscard]] StoredSms* at(std::size_t place) {
        if (place < 1 || place > places_.size()) {
            return nullptr;
        }
        auto& sms = places_[place - 1];
        return sms ? &*sms : nullptr;
    }
    /// False where there was nothing.
    bool erase(std::size_t place) {
        if (at(place) == nullptr) {
            return false;
        }
        places_[place - 1].reset();
        --used_;
        return true;
    }

    /// While true nothing more goes in, whatever is erased.
    void jam(bool jammed) { jammed_ = jammed; }

    [[nodiscard]] bool full() const { return jammed_ || used_ == places_.size(); }
    [[nodiscard]] std::size_t used() const { return jammed_ ? places_.size() : used_; }
    [[nodiscard]] std::size_t total() const { return places_.size(); }

private:
    std::vector<std::optional<StoredSms>> places_;
    std::size_t used_ = 0;
    bool jammed_ = false;
};

}  // namespace smsrack::modem_sim
