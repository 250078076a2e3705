/// Who was behind the port when the modem was last set up, which distinguishes a return from a restart.
///
/// Source:  [EBAS] register: the same modem again; has it lost its settings?
#pragma once

#include "drivers/gsm/facts.hpp"

#include <optional>
#include <string>

namespace smsrack::gsm {

class LastSeen {
public:
    void port_opened() { port_is_new_ = true; }
    /// Its radio is switched on: a restart then is expected and is not reported.
    void wakes() { waking_ = true; }
    [[nodiscard]] bool is_waking() const { return waking_; }
    void ready() { waking_ = false; }

    /// It is set up again. What happened to the modem meanwhile; nullopt: nothing, or it is another one.
    [[nodiscard]] std::optional<ports::Incident> returned(const Facts& facts) {
        std::optional<ports::Incident> incident;
        if (imei_ == facts.identity.imei && !waking_) {
            if (!facts.mark_kept) {
                incident = ports::Incident::restarted;
            } else if (port_is_new_) {
                incident = ports::Incident::reconnected;
            }
        }
        imei_ = facts.identity.imei;
        port_is_new_ = false;
        return incident;
    }
    /// Is another SIM in it? It is remembered.
    [[nodiscard]] bool has_other_sim(const ports::ModemIdentity& now) {
        const bool is_other = iccid_ != now.iccid || imsi_ != now.imsi;
        iccid_ = now.iccid;
        imsi_ = now.imsi;
        return is_other;
    }
    /// As an earlier owner of the port left it.
    void adopt(const ports::ModemIdentity& identity) {
        imei_ = identity.imei;
        iccid_ = identity.iccid;
        imsi_ = identity.imsi;
    }

private:
    std::string imei_;
    std::string iccid_;
    std::string imsi_;  // not each modem tells the ICCID
    bool port_is_new_ = false;
    bool waking_ = false;
};

}  // namespace smsrack::gsm
