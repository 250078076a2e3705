#include "tools/modem_model/sms/erasure.hpp"

#include "src/base/check.hpp"
#include "tools/modem_model/sms/delivery.hpp"

#include <fmt/format.h>
#include <utility>

namespace smsrack::modem_sim {
namespace {

/// <delflag> 1: read; 2: and sent; 3: and unsent; 4: all. 27.005 3.5.4
bool falls_under(SmsStatus status, int flag) {
    switch (status) {
        case SmsStatus::read:
            return flag >= 1;
        case SmsStatus::sent:
            return flag >= 2;
        case SmsStatus::unsent:
            return flag >= 3;
        default:
            return flag >= 4;
    }
}

void erase_place(Core& core, SteadyTime at, std::size_t place) {
    SmsMemory& memory = core.reading_memory();
    if (core.prefs.now.reading == Memory::sim) {
        const StoredSms& sms = *memory.at(place);
        core.journal.erased(
            at, core.settings.index,
            {.iccid = core.settings.identity.iccid, .pdu = sms.pdu, .id = sms.id, .place = place});
        core.confirms = true;
    }
    (void)memory.erase(place);
    ++core.stats.deleted;
}

/// False where <delflag> is 0 and there is nothing at `index`.
bool erase(Core& core, SteadyTime at, std::size_t index, int flag) {
    SmsMemory& memory = core.reading_memory();
    if (flag == 0) {
        if (memory.at(index) == nullptr) {
            return false;
        }
        erase_place(core, at, index);
        return true;
    }
    for (std::size_t place = 1; place <= memory.total(); ++place) {
        const StoredSms* sms = memory.at(place);
        if (sms != nullptr && falls_under(sms->status, flag)) {
            erase_place(core, at, place);
        }
    }
    return true;
}

/// Now, or `erase_slow` later.
Answer answered(Core& core, SteadyTime at, Answer answer) {
    const auto slow = core.faults.take(FaultKind::erase_slow);
    if (!slow) {
        return answer;
    }
    const bool waits = core.apply(InputEvent::erasing);
    SMSRACK_CHECK(waits);
    core.erasing = {
        .answered_at = at + slow->delay,
        .answer = fmt::format("\r\n{}\r\n", final_text(core, answer.final, answer.code)),
        .is_ok = answer.final == Final::ok};
    return {.final = Final::later};
}

}  // namespace

Answer run_erasure(Core& core, SteadyTime at, const AtCommand& command) {
    if (command.form == AtForm::test) {
        return info(fmt::format("+CMGD: (1-{}),(0-4)", core.reading_memory().total()));
    }
    if (const int trouble = sms_trouble(core); trouble != 0) {
        return cms(trouble);
    }
    const AtArguments arguments(command.arguments);
    const auto index = arguments.number(0);
    const auto flag = arguments.number_or(1, 0);
    if (!index || *index < 0 || !flag || *flag < 0 || *flag > 4) {
        return cms(cms_operation_not_allowed);
    }
    if (const auto refused = core.faults.take(FaultKind::erase_refused)) {
        if (core.random.below(2) == 0) {
            (void)erase(core, at, static_cast<std::size_t>(*index), *flag);
        }
        return answered(core, at, cms(refused->code));
    }
    const bool erased = erase(core, at, static_cast<std::size_t>(*index), *flag);
    return answered(core, at, erased ? ok() : cms(cms_invalid_index));
}

void step_erasure(Core& core, SteadyTime at) {
    if (erasure_deadline(core) > at) {
        return;
    }
    SlowErasure slow = *std::exchange(core.erasing, std::nullopt);
    say_answer(core, at, std::move(slow.answer), slow.is_ok);
    const bool known = core.apply(InputEvent::answered);
    SMSRACK_CHECK(known);
}

SteadyTime erasure_deadline(const Core& core) {
    return core.erasing ? core.erasing->answered_at : never;
}

}  // namespace smsrack::modem_sim
