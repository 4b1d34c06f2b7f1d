       >>SOURCE FORMAT IS FREE
identification division.
program-id. freep.
procedure division.
a-one. display "*> not a comment". *> b-two.
  perform varying i from 1 by 1 until i > 3
    display i
  end-perform.
c-three section.
d-four. exit section.
>>SOURCE FORMAT FIXED
       E-FIVE.
      * F-SIX.
           GOBACK.                                                      G-SEVEN.
