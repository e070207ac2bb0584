"""Endpoints with which members of staff set up their own second factor."""

from secrets import token_hex
from typing import Annotated

from fastapi import Depends, Request

from baccarat.house.people.roles import Account, Action
from baccarat.house.people.second_factor import RECOVERY_CODES
from baccarat.web.schema import Routes
from baccarat.web.schema.players import RecoveryCodes, SecondFactorSecret
from baccarat.web.schema.requests import NewSecondFactor
from baccarat.web.server.site import API, Needs, TheSite
from baccarat.web.views.floor.people import second_factor_for

routes = Routes(prefix=API, tags=["staff"])
Owner = Annotated[Account, Depends(Needs(Action.USE_SECOND_FACTOR, new=True))]


@routes.post("/me/second-factor")
async def new_second_factor(site: TheSite, account: Owner) -> SecondFactorSecret:
    """Return a new secret for the account's second factor. Nothing changes until a code is sent."""
    return second_factor_for(site, account)


@routes.put("/me/second-factor")
async def set_second_factor(
    body: NewSecondFactor, request: Request, site: TheSite, account: Owner
) -> RecoveryCodes:
    """Set up or replace the account's second factor, with the password and a code. From then on,
    signing in needs a code. The response has recovery codes, in case the phone is lost."""
    await site.sign_ins.check(request, account.known_as, body.password)
    codes = [f"{token_hex(4)}-{token_hex(4)}" for _ in range(RECOVERY_CODES)]
    sealed = bytes.fromhex(body.sealed)
    await site.do(site.sign_ins.set_second_factor(account, sealed, body.code, codes))
    return {"recovery_codes": codes}
