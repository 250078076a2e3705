/// Since when a condition lasts, in the form that one run of the service hands over to the next.
///
/// No row has it: without it a modem that is without network for a day would be so since the last reload.
/// Source:  docs/decisions/0018-hand-over.md, 0037-one-list-of-conditions.md.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/members.hpp"

#include <string>

namespace smsrack::ports {

struct ConditionCarried {
    std::string name = {};  ///< Condition::name(): numbers of kinds may change
    std::string subject = {};
    WallTime since = {};
    bool shown = false;  ///< its patience was over
    SMSRACK_MEMBERS(name, subject, since, shown);
};

}  // namespace smsrack::ports
