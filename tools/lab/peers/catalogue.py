"""The gateways that are compared, in the order of the table."""

from .gammu import Gammu, GammuTuned
from .kannel import Kannel, KannelTuned
from .smsrack import Smsrack, SmsrackFast
from .smstools import Smstools, SmstoolsTuned

GATEWAYS = {gateway.name: gateway for gateway in (Smsrack, SmsrackFast, Smstools, SmstoolsTuned, Gammu, GammuTuned, Kannel, KannelTuned)}
